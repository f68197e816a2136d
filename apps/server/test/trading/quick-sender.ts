import type { TestChain, Wallet } from '@tallystick/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex, parseGwei } from 'viem'

interface Call {
  readonly to: Address
  readonly data: Hex
}

export const callOf = (
  to: Address,
  abi: Abi | readonly unknown[],
  functionName: string,
  args: readonly unknown[],
): Call => ({
  to,
  data: encodeFunctionData({ abi: abi as Abi, functionName, args }),
})

const GAS = 2_000_000n

/**
 * Sends many calls without asking what each would cost: a world makes dozens. Throws when one reverts. One wallet at a time: it counts its
 * own nonces.
 */
export const quickSenderOn =
  ({ publicClient, chainId }: TestChain) =>
  async (account: Wallet, calls: readonly Call[]): Promise<void> => {
    const first = await publicClient.getTransactionCount({ address: account.address })
    const hashes: Hex[] = []
    for (const [index, { to, data }] of calls.entries()) {
      const serializedTransaction = await account.signTransaction({
        ...{ type: 'eip1559', chainId, nonce: first + index, to, data, gas: GAS },
        ...{ maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: 0n },
      })
      hashes.push(await publicClient.sendRawTransaction({ serializedTransaction }))
    }
    const receipts = await Promise.all(hashes.map((hash) => publicClient.waitForTransactionReceipt({ hash })))
    const failed = receipts.findIndex(({ status }) => status !== 'success')
    if (failed >= 0)
      throw new Error(`call ${failed} reverted: ${calls[failed]?.data.slice(0, 10)} at ${calls[failed]?.to}`)
  }
