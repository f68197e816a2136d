import { type Address, encodeDeployData, type Hex } from 'viem'
import { AppError } from '../platform/app-error.ts'
import { parseAddress } from '../platform/chain/address.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { readTransaction } from '../platform/chain/transaction.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { committedCreations } from './committed-creations.ts'
import { codeAt, implementationBehind, standsAsCreated } from './contract-code.reads.ts'
import { behindProxies, contractNamed, factoryOf } from './contract-names.ts'
import { deployables } from './deployables.ts'
import * as store from './deployments.store.ts'
import { knownCode } from './known-code.ts'
import { recordContracts } from './record-contracts.ts'

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

    async verify(chain: Chain) {
      return proveContracts(chain, await list(chain))
    },
  }
}

/**
 * Every recorded contract: whether code stands there, and whether it is the code that this release would create, or that of an earlier
 * build, which is named by its first day. It needs the node and nothing else: the record may be one that somebody else keeps.
 */
export async function proveContracts(chain: Chain, recorded: readonly store.DeployedContract[]) {
  const creations = await committedCreations(chain, recorded)
  const addressOf = (name: string) => recorded.find((one) => one.name === name)?.address
  // The code of a proxy says nothing about what it runs.
  const runsWhatIsRecorded = async (name: string, address: Address) => {
    const implementation = behindProxies[name]
    return !implementation || (await implementationBehind(chain, address)) === addressOf(implementation)
  }
  async function proof(name: string, address: Address) {
    if (!(await runsWhatIsRecorded(name, address))) return { isOurs: false }
    const creation = creations.get(name)
    if (creation && (await standsAsCreated(chain, address, creation))) return { isOurs: true }
    const known = await knownCode(chain, contractNamed(name), address, addressOf(factoryOf(name)))
    return known ? { isOurs: true, earlierBuild: known.since } : { isOurs: false }
  }
  return Promise.all(
    recorded.map(async ({ name, address }) => ({
      name,
      address,
      hasCode: (await codeAt(chain, address)) !== '0x',
      ...(await proof(name, address)),
    })),
  )
}
