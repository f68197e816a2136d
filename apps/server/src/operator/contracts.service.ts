import { type Address, encodeDeployData, type Hex } from 'viem'
import { AppError } from '../platform/app-error.ts'
import { parseAddress } from '../platform/chain/address.ts'
import type { Chain } from '../platform/chain/chain.ts'
import { ChainUnavailableError } from '../platform/chain/rpc.ts'
import { readTransaction } from '../platform/chain/transaction.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import { deployables } from './deployables.ts'
import * as store from './deployments.store.ts'

async function codeAt(chain: Chain, address: Address): Promise<Hex> {
  const [answer] = await chain.rpc.batch([{ method: 'eth_getCode', params: [address, 'latest'] }])
  if (!answer?.ok) throw new ChainUnavailableError('code could not be read')
  return answer.value as Hex
}

/**
 * What the creation code leaves at this very address: the node runs the constructor there once more without deploying, because a
 * contract may write its own address into its code.
 */
async function expectedCode(chain: Chain, creation: Hex, from: Address, address: Address): Promise<Hex> {
  const inPlace = { [address]: { code: creation, state: {} } }
  const [answer] = await chain.rpc.batch([{ method: 'eth_call', params: [{ from, to: address }, 'latest', inPlace] }])
  if (!answer?.ok) throw new ChainUnavailableError(`the constructor cannot be run: ${answer?.fault.message}`)
  return answer.value as Hex
}

function requireDeployable(name: string) {
  const found = deployables[name]
  if (!found)
    throw new AppError('UNKNOWN_CONTRACT', {
      detail: `There is no contract called ${name}. Known: ${Object.keys(deployables).join(', ')}.`,
    })
  return found
}

/** Contracts of a deployment: unsigned transactions to create them, a record of where they are, and proof that they are ours. */
export function createContractsService(database: Database, { clock }: { clock: Clock }) {
  return {
    names: () => Object.keys(deployables),

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
      if (!transaction?.succeeded || transaction.to !== null || !transaction.input.startsWith(bytecode))
        throw new AppError('NOT_THIS_CONTRACT', {
          detail: `Transaction ${txHash} did not create ${name} from the committed code.`,
        })
      const [receipt] = await chain.rpc.batch([{ method: 'eth_getTransactionReceipt', params: [txHash] }])
      const address = receipt?.ok ? parseAddress((receipt.value as { contractAddress: string }).contractAddress) : null
      if (!address) throw new AppError('NOT_THIS_CONTRACT', { detail: `Transaction ${txHash} created no contract.` })
      const expected = await expectedCode(chain, transaction.input, transaction.from, address)
      if ((await codeAt(chain, address)) !== expected)
        throw new AppError('NOT_THIS_CONTRACT', { detail: `The code at ${address} is not what ${name} leaves there.` })
      await database.as('tally_operator', (sql) =>
        store.recordContract(sql, chain.chainId, { name, address }, clock.now()),
      )
      return { name, address }
    },

    /** Every recorded contract, and whether code still stands there. */
    async verify(chain: Chain) {
      const recorded = await database.as('tally_operator', async (sql) => [
        ...(await store.listContracts(sql, chain.chainId)),
      ])
      return Promise.all(
        recorded.map(async ({ name, address }) => ({
          name,
          address,
          hasCode: (await codeAt(chain, address as Address)) !== '0x',
        })),
      )
    },
  }
}
