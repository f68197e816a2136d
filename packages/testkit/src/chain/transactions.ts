import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  formatTransactionReceipt,
  formatTransactionRequest,
  getAddress,
  type Hash,
  type Hex,
  type LocalAccount,
  parseGwei,
  type RpcTransactionReceipt,
  serializeTransaction,
  type TransactionReceipt,
} from 'viem'
import type { ChainClients } from './test-chain.ts'

export interface Deployment {
  abi: Abi | readonly unknown[]
  bytecode: Hex
  args?: readonly unknown[]
  account?: LocalAccount
}

export interface ContractCall {
  address: Address
  abi: Abi | readonly unknown[]
  functionName: string
  args?: readonly unknown[]
  value?: bigint
  gas?: bigint
  account?: LocalAccount
}

export interface PlainTransaction {
  to?: Address
  data?: Hex
  value?: bigint
  gas?: bigint
}

/** More than any call of ours takes, and less than half a block. */
const GAS = { call: 8_000_000n, creation: 14_000_000n }
const FEES = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: parseGwei('1') }

/** A request of a node that the client has no method for. */
const ask = <Answer>({ publicClient }: ChainClients, method: string, params: readonly unknown[]): Promise<Answer> =>
  publicClient.request({ method, params } as never) as Promise<Answer>

/** The node has the keys of its own accounts: it signs in a tenth of the time, and knows the nonce. */
async function sendAndWait(
  chain: ChainClients,
  account: LocalAccount,
  transaction: PlainTransaction,
): Promise<TransactionReceipt> {
  const { publicClient, chainId } = chain
  const { address } = account
  const whole = { gas: transaction.to ? GAS.call : GAS.creation, ...FEES, ...transaction }
  const isOfNode = chain.accounts.some((own) => own.address === address)
  const mined = isOfNode
    ? ask(chain, 'eth_sendTransactionSync', [formatTransactionRequest({ ...whole, from: address })])
    : ask(chain, 'eth_sendRawTransactionSync', [
        await account.signTransaction({
          type: 'eip1559',
          chainId,
          nonce: await publicClient.getTransactionCount({ address, blockTag: 'pending' }),
          ...whole,
        }),
      ])
  return formatTransactionReceipt((await mined) as RpcTransactionReceipt)
}

/**
 * Sends and answers once it is mined, in one question to the node, without asking first what it would cost: most of what a test takes goes
 * into that. Throws when it reverts. One transaction of a wallet at a time.
 */
export async function transact(
  chain: ChainClients,
  account: LocalAccount,
  transaction: PlainTransaction,
  /** Fails with the reason. Default: as much of it as can be told without the contract's own errors. */
  explain: (blockNumber: bigint) => Promise<unknown> = (blockNumber) =>
    chain.publicClient.call({ account, ...transaction, blockNumber }),
): Promise<TransactionReceipt> {
  const receipt = await sendAndWait(chain, account, transaction)
  if (receipt.status === 'success') return receipt
  await explain(receipt.blockNumber - 1n)
  throw new Error(`Transaction ${receipt.transactionHash} reverted`)
}

/** Deploys as the first dev account unless told otherwise. */
export async function deploy(chain: ChainClients, { abi, bytecode, args, account }: Deployment): Promise<Address> {
  const data = encodeDeployData({ abi: abi as Abi, bytecode, args: args ?? [] })
  const { contractAddress, transactionHash } = await transact(chain, account ?? chain.walletClient.account, { data })
  if (!contractAddress) throw new Error(`Transaction ${transactionHash} created no contract`)
  return getAddress(contractAddress)
}

/** Sends a call as the first dev account unless told otherwise and waits until it is mined. */
export async function send(chain: ChainClients, call: ContractCall): Promise<TransactionReceipt> {
  const { address: to, abi, functionName, args = [], value, gas, account = chain.walletClient.account } = call
  const data = encodeFunctionData({ abi: abi as Abi, functionName, args })
  const full = { address: to, abi: abi as Abi, functionName, args, account, ...(value ? { value } : {}) }
  const transaction = { to, data, ...(value ? { value } : {}), ...(gas ? { gas } : {}) }
  return transact(chain, account, transaction, (blockNumber) =>
    chain.publicClient.simulateContract({ ...full, blockNumber } as never),
  )
}

/** What was sent, to be put into another block. Not every node keeps that of what it signed itself, but all tell what it is made of. */
export async function rawTransaction({ publicClient }: ChainClients, hash: Hash): Promise<Hex> {
  const { type, chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, value, input, r, s, yParity } =
    await publicClient.getTransaction({ hash })
  if (type !== 'eip1559') throw new Error(`Transaction ${hash} is of type ${type}`)
  const parts = { type, chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, value, data: input }
  return serializeTransaction(parts, { r, s, yParity })
}
