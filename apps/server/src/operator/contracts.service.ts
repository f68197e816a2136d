import { type Address, encodeDeployData, type Hex } from 'viem'
import { AppError } from '../platform/app-error.ts'
import { parseAddress } from '../platform/chain/address.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { readTransaction } from '../platform/chain/transaction.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { committedCreations } from './committed-creations.ts'
import { codeAt, implementationBehind, standsAsCreated } from './contract-code.reads.ts'
import { deployables } from './deployables.ts'
import * as store from './deployments.store.ts'
import { recordContracts } from './record-contracts.ts'

/** Proxies, and the names under which what they run is on record. */
const behindProxies: Readonly<Record<string, string>> = {
  LendingFactory: 'LendingFactoryImplementation',
  IdentityRegistry: 'IdentityRegistryImplementation',
  StockFactory: 'StockFactoryImplementation',
  StockTradingVault: 'TradingVaultImplementation',
  CommodityTradingVault: 'TradingVaultImplementation',
}

function requireDeployable(name: string) {
  const found = deployables[name]
  if (!found)
    throw new AppError('UNKNOWN_CONTRACT', {
      detail: `There is no contract called ${name}. Known: ${Object.keys(deployables).join(', ')}; lending, lending-implementations, stocks, trading.`,
    })
  return found
}

/** It says nothing yet about what the transaction did: whoever is told otherwise deploys twice. */
const notShown = (txHash: Hex) =>
  new AppError('TX_NOT_FOUND', {
    detail: `Transaction ${txHash} is not mined, or the node does not show it yet: try again.`,
  })

/** Single contracts of a deployment: the unsigned creation and its record; and proof that everything on record is ours. */
export function createContractsService(database: Database, { clock }: { clock: Clock }) {
  const list = (chain: Chain) =>
    database.as('tally_operator', async (sql) => [...(await store.listContracts(sql, chain.chainId))])

  return {
    buildDeployment(chain: Chain, name: string, args: readonly unknown[]) {
      const { abi, bytecode } = requireDeployable(name)
      return {
        transaction: { data: encodeDeployData({ abi, bytecode, args: [...args] }), value: '0', chainId: chain.chainId },
        contractCreation: true,
      }
    },

    /** Takes down where a contract is, after comparing what the transaction created with what we would have created. */
    async recordDeployment(chain: Chain, name: string, txHash: Hex) {
      const { bytecode } = requireDeployable(name)
      const transaction = await readTransaction(chain, txHash)
      if (!transaction) throw notShown(txHash)
      if (!transaction.succeeded || transaction.to !== null || !transaction.input.startsWith(bytecode))
        throw new AppError('NOT_THIS_CONTRACT', {
          detail: `Transaction ${txHash} did not create ${name} from the committed code.`,
        })
      const [receipt] = await chain.rpc.batch([{ method: 'eth_getTransactionReceipt', params: [txHash] }])
      const shown = receipt?.ok ? (receipt.value as { contractAddress: string } | null) : null
      if (!shown) throw notShown(txHash)
      const address = parseAddress(shown.contractAddress)
      if (!address) throw new AppError('NOT_THIS_CONTRACT', { detail: `Transaction ${txHash} created no contract.` })
      if (!(await standsAsCreated(chain, address, { creation: transaction.input, from: transaction.from })))
        throw new AppError('NOT_THIS_CONTRACT', { detail: `The code at ${address} is not what ${name} leaves there.` })
      const contracts = [{ name, address }]
      const { chainId } = chain
      await recordContracts(database, { operation: 'recordContracts', chainId, contracts, now: clock.now() })
      return { name, address }
    },

    list,

    /** Every recorded contract: whether code stands there, and whether it is the code that this release would create. */
    async verify(chain: Chain) {
      return proveContracts(chain, await list(chain))
    },
  }
}

/** The same for a record that somebody else keeps: it needs the node and nothing else. */
export async function proveContracts(chain: Chain, recorded: readonly store.DeployedContract[]) {
  const creations = await committedCreations(chain, recorded)
  const isOurs = async (name: string, address: Address) => {
    const creation = creations.get(name)
    if (!creation || !(await standsAsCreated(chain, address, creation))) return false
    const implementation = behindProxies[name]
    if (!implementation) return true
    // The code of a proxy says nothing about what it runs.
    const behind = recorded.find((one) => one.name === implementation)?.address
    return (await implementationBehind(chain, address)) === behind
  }
  return Promise.all(
    recorded.map(async ({ name, address }) => ({
      name,
      address,
      hasCode: (await codeAt(chain, address)) !== '0x',
      isOurs: await isOurs(name, address),
    })),
  )
}
