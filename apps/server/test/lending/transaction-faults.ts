import { demoCashAbi } from '@tallystick/abi'
import { send, wallet } from '@tallystick/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem'
import { expect } from 'vitest'
import type { TestAnswer } from '../world.ts'
import type { LendingWorld } from './lending-world.ts'

interface Subject {
  /** Sends the confirmation with this hash. */
  confirm(txHash: Hex): Promise<TestAnswer>
  /** The contract that the write calls. */
  readonly target: Address
  /** Another function of that contract that anybody may call and that succeeds; undefined: none exists, the test sends a bare call. */
  readonly other?: {
    readonly abi: Abi | readonly unknown[]
    readonly functionName: string
    readonly args?: readonly unknown[]
  }
}

/** Every hash that proves nothing, on one confirm leg: unknown, failed, to another contract, of another function. */
export async function expectTransactionFaults(
  world: Pick<LendingWorld, 'node' | 'cash'>,
  { confirm, target, other }: Subject,
): Promise<void> {
  const { node, cash } = world
  const refused = async (txHash: Hex, status: number, code: string) => {
    const answer = await confirm(txHash)
    expect([answer.status, answer.body.error?.code]).toEqual([status, code])
  }
  await refused(`0x${'0'.repeat(63)}1`, 404, 'TX_NOT_FOUND')

  const elsewhere = await send(node, { address: cash, abi: demoCashAbi, functionName: 'approve', args: [target, 1n] })
  await refused(elsewhere.transactionHash, 400, 'TX_WRONG_TARGET')

  const reverting = encodeFunctionData({ abi: demoCashAbi, functionName: 'transfer', args: [target, 1n] })
  const failed = await node.walletClient.sendTransaction({
    account: wallet(8),
    to: cash,
    data: reverting,
    gas: 200_000n,
  })
  await node.publicClient.waitForTransactionReceipt({ hash: failed })
  await refused(failed, 400, 'TX_REVERTED')

  if (!other) return
  const call = await send(node, { address: target, ...other })
  await refused(call.transactionHash, 400, 'TX_WRONG_FUNCTION')
}
