import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  formatTransactionReceipt,
  getAddress,
  type Hex,
  type LocalAccount,
  parseGwei,
  type RpcTransactionReceipt,
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

/**
 * Signs, sends and answers once it is mined, without asking the node first what it would cost, or later whether it is there: most of what a
 * test takes goes into that. Throws when it reverts. One transaction of a wallet at a time.
 */
export async function transact(
  chain: ChainClients,
  account: LocalAccount,
  transaction: PlainTransaction,
  /** Fails with the reason. Default: as much of it as can be told without the contract's own errors. */
  explain: (blockNumber: bigint) => Promise<unknown> = (blockNumber) =>
    chain.publicClient.call({ account, ...transaction, blockNumber }),
): Promise<TransactionReceipt> {
  const { publicClient, chainId } = chain
  const nonce = await publicClient.getTransactionCount({ address: account.address, blockTag: 'pending' })
  const gas = transaction.to ? GAS.call : GAS.creation
  const signed = await account.signTransaction({ type: 'eip1559', chainId, nonce, gas, ...FEES, ...transaction })
  const request = { method: 'eth_sendRawTransactionSync', params: [signed] } as never
  const receipt = formatTransactionReceipt((await publicClient.request(request)) as RpcTransactionReceipt)
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
