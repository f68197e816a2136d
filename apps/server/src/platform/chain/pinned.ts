import { setTimeout as pause } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Block } from './block.ts'
import { ChainUnavailableError, type Rpc, type RpcAnswer, type RpcCall } from './rpc.ts'

/** A decoded answer and the height it was made at. */
export interface Dated<T> {
  readonly height: bigint
  readonly value: T
}

export type BlockPlace = Pick<Block, 'number' | 'hash'>

/** What a question at one block names it by (EIP-1898): a block that was undone is refused. */
const placeOf = ({ hash }: BlockPlace) => ({ blockHash: hash, requireCanonical: true })

/** The waits double, from the first: what makes a node answer from another block is over within milliseconds. */
const MOST_ATTEMPTS = 5
const FIRST_PAUSE_MS = 20

/** What an `eth_call` returned. */
export function returnedBy(answer: RpcAnswer | undefined): Hex {
  if (!answer?.ok) throw new ChainUnavailableError(`a chain read failed: ${answer?.fault.message ?? 'no answer'}`)
  // Every call made here answers something: nothing means that the contract asked is not on this chain.
  if (answer.value === '0x') throw new ChainUnavailableError('a chain read was answered with nothing')
  return answer.value as Hex
}

/** Does something until all of it is of one block. The work answers null when it was not. */
async function untilOfOneBlock<T>(block: BlockPlace, work: () => Promise<T | null>): Promise<T> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    if (attempt > 0) await pause(FIRST_PAUSE_MS * 2 ** (attempt - 1))
    const done = await work()
    if (done !== null) return done
  }
  throw new ChainUnavailableError(
    `the node answers from other blocks than block ${block.number}, which it was asked for`,
  )
}

/**
 * `eth_call`s at one block, in one round trip. A node that is about to show the next block may answer from that one, although it was
 * asked for this one by its hash: such an answer tells another height, and is asked for again.
 */
export async function callAt<T>(
  rpc: Rpc,
  block: BlockPlace,
  calls: readonly Record<string, unknown>[],
  understand: (answer: RpcAnswer | undefined) => Dated<T>,
): Promise<T[]> {
  const understood = new Map<number, T>()
  return untilOfOneBlock(block, async () => {
    const left = calls.map((_, index) => index).filter((index) => !understood.has(index))
    const asked = left.map((index): RpcCall => ({ method: 'eth_call', params: [calls[index], placeOf(block)] }))
    const answers = asked.length === 0 ? [] : await rpc.batch(asked)
    for (const [place, index] of left.entries()) {
      const { height, value } = understand(answers[place])
      if (height === block.number) understood.set(index, value)
    }
    return understood.size === calls.length ? calls.map((_, index) => understood.get(index) as T) : null
  })
}

/**
 * Questions at one block that do not tell its height, such as those for storage, between two that do: they count when both of those are
 * of this block. `watch` is such a call.
 */
export async function askBetween(
  rpc: Rpc,
  block: BlockPlace,
  watch: { readonly call: Record<string, unknown>; height(returned: Hex): bigint },
  questions: (at: ReturnType<typeof placeOf>) => RpcCall[],
): Promise<RpcAnswer[]> {
  const at = placeOf(block)
  const ask = { method: 'eth_call', params: [watch.call, at] }
  return untilOfOneBlock(block, async () => {
    const answers = await rpc.batch([ask, ...questions(at), ask])
    const ends = [answers[0], answers.at(-1)]
    const isOfBlock = ends.every((end) => watch.height(returnedBy(end)) === block.number)
    return isOfBlock ? answers.slice(1, -1) : null
  })
}
