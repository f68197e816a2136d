import { type Abi, type Address, getAddress, type Hex, type LocalAccount, type TransactionReceipt } from 'viem'
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
  /** Estimated when not given; give it where a call with too little gas fails without a revert. */
  gas?: bigint
  account?: LocalAccount
}

/** Deploys as the first dev account unless told otherwise. */
export async function deploy(chain: ChainClients, { abi, bytecode, args, account }: Deployment): Promise<Address> {
  const hash = await chain.walletClient.deployContract({
    abi: abi as Abi,
    bytecode,
    args: args ?? [],
    account: account ?? chain.walletClient.account,
  })
  const receipt = await succeeded(chain, hash)
  if (!receipt.contractAddress) throw new Error(`Transaction ${hash} created no contract`)
  return getAddress(receipt.contractAddress)
}

/** Sends a call as the first dev account unless told otherwise and waits until it is mined. */
export async function send(chain: ChainClients, call: ContractCall): Promise<TransactionReceipt> {
  const { abi, args = [], account = chain.walletClient.account } = call
  const full = { ...call, abi: abi as Abi, args, account }
  const gas = call.gas ?? withMargin(await chain.publicClient.estimateContractGas(full))
  return succeeded(chain, await chain.walletClient.writeContract({ ...full, gas }))
}

/** What a call costs can grow between the estimate and its block: interest accrues by the second. */
export function withMargin(estimate: bigint): bigint {
  return estimate * 2n + 500_000n
}

async function succeeded(chain: ChainClients, hash: Hex): Promise<TransactionReceipt> {
  const receipt = await chain.publicClient.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success') throw new Error(`Transaction ${hash} reverted`)
  return receipt
}
