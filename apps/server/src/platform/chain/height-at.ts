import { asBlock, getBlock } from './block.ts'
import type { Chain } from './chain.ts'
import { ChainUnavailableError } from './rpc.ts'

/** So many blocks are asked about in one round trip: six of them find one block among 16 million. */
const ASKED_AT_ONCE = 15n

async function timesOf(chain: Chain, heights: readonly bigint[]): Promise<number[]> {
  const answers = await chain.rpc.batch(heights.map((height) => getBlock(height)))
  return answers.map((answer) => {
    const block = asBlock(answer)
    if (!block) throw new ChainUnavailableError('the node lacks a block of its own chain')
    return block.time
  })
}

/** The last block that was made at or before `time`, in unix seconds; the first one when the chain began later. */
export async function heightAt(chain: Chain, time: number): Promise<bigint> {
  const head = await chain.latest()
  if (head.time <= time) return head.number
  // Everything up to `low` is known to be old enough, `high` is not.
  let [low, high] = [0n, head.number]
  while (high - low > 1n) {
    const step = (high - low + ASKED_AT_ONCE) / (ASKED_AT_ONCE + 1n)
    const heights = Array.from({ length: Number(ASKED_AT_ONCE) }, (_, at) => low + step * BigInt(at + 1))
    const asked = heights.filter((height) => height < high)
    const times = await timesOf(chain, asked)
    const later = times.findIndex((one) => one > time)
    high = later === -1 ? high : (asked[later] ?? high)
    low = (later === -1 ? asked.at(-1) : asked[later - 1]) ?? low
  }
  return low
}
