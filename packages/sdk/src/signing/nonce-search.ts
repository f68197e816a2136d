import { type Address, type Client, isAddressEqual } from 'viem'
import { getBlock, getBlockNumber, getTransactionCount } from 'viem/actions'
import type { Hex } from '../operation.ts'

/** One transaction of an account: no other one with its number can be mined beside it. */
export interface Place {
  readonly from: Address
  readonly nonce: number
}

/**
 * Which transaction used up a nonce, as read in its block. Null: none so far, or the node cannot tell. Where answers contradict each
 * other the search ends at the wrong block and finds nothing; it never finds something that is not there.
 */
export async function findByNonce(client: Client, { from, nonce }: Place): Promise<Hex | null> {
  const isUsedAt = async (blockNumber: bigint) =>
    (await getTransactionCount(client, { address: from, blockNumber })) > nonce
  let used = await getBlockNumber(client, { cacheTime: 0 })
  if (!(await isUsedAt(used))) return null
  let unused = used
  // Back in growing steps: it was used a moment ago, and nodes forget the states of old blocks.
  for (let step = 1n; unused > 0n; step *= 2n) {
    unused = unused > step ? unused - step : 0n
    if (!(await isUsedAt(unused))) break
    used = unused
  }
  while (used - unused > 1n) {
    const middle = (used + unused) / 2n
    if (await isUsedAt(middle)) used = middle
    else unused = middle
  }
  const { transactions } = await getBlock(client, { blockNumber: used, includeTransactions: true })
  const taker = transactions.find((one) => one.nonce === nonce && isAddressEqual(one.from, from))
  return taker?.hash ?? null
}
