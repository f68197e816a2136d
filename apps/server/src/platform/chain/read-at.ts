import type { Chain } from './chain.ts'
import type { ContractRead, ReadResult, ResultsOf } from './contract-read.ts'
import { datedReturns, multicalls, READS_PER_CALL, type Returned, understoodAll } from './multicall.ts'
import { type BlockPlace, callAt, returnedBy } from './pinned.ts'
import { ChainUnavailableError } from './rpc.ts'

type Reads = readonly ContractRead<unknown>[]
type Node = Pick<Chain, 'rpc'>

/** What each of these calls returned, all in one round trip. */
const returnsAt = ({ rpc }: Node, block: BlockPlace, calls: ReturnType<typeof multicalls>) =>
  callAt(rpc, block, calls, (answer) => datedReturns(returnedBy(answer)))

/** Reads at one block that is known already, however many: one round trip. Cheap ones fit more into a call. */
export async function readAt<const R extends Reads>(
  chain: Node,
  block: BlockPlace,
  reads: R,
  perCall = READS_PER_CALL,
): Promise<ResultsOf<R>> {
  const returns = await returnsAt(chain, block, multicalls(reads, perCall))
  return understoodAll(reads, returns.flat())
}

/** Null when a read failed without a word, or a call as a whole: what a call may spend may have been spent by one of the others. */
async function sharedReturns(
  chain: Node,
  block: BlockPlace,
  reads: Reads,
  perCall: number,
): Promise<Returned[] | null> {
  try {
    const returns = (await returnsAt(chain, block, multicalls(reads, perCall))).flat()
    return returns.some(({ success, returnData }) => !success && returnData === '0x') ? null : returns
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null
    throw error
  }
}

const SPENT: Returned = { success: false, returnData: '0x' }

/** Each list in calls of its own. Where one fails as a whole, its contracts did it, unless all do. */
async function ownReturns({ rpc }: Node, block: BlockPlace, lists: readonly Reads[], perCall: number) {
  const calls = lists.map((reads) => multicalls(reads, perCall))
  const returns = await callAt(rpc, block, calls.flat(), (answer) =>
    answer?.ok ? datedReturns(returnedBy(answer)) : { height: block.number, value: null },
  )
  if (returns.every((value) => value === null)) throw new ChainUnavailableError('every chain read failed')
  let at = 0
  return lists.map((reads, index) => {
    const count = calls[index]?.length ?? 0
    at += count
    const own = returns.slice(at - count, at)
    return own.includes(null) ? reads.map(() => SPENT) : own.flatMap((value) => value ?? [])
  })
}

/**
 * Lists of reads of contracts that have nothing to do with each other, in one round trip. They share calls; where a contract may have
 * used up what the others needed, each list has its own, in a second one.
 */
export async function readListsAt(
  chain: Node,
  block: BlockPlace,
  lists: readonly Reads[],
  perCall = READS_PER_CALL,
): Promise<ReadResult<unknown>[][]> {
  if (lists.length === 0) return []
  const shared = await sharedReturns(chain, block, lists.flat(), perCall)
  let at = 0
  const returns = shared
    ? lists.map(({ length }) => {
        at += length
        return shared.slice(at - length, at)
      })
    : await ownReturns(chain, block, lists, perCall)
  return lists.map((reads, index) => [...understoodAll(reads, returns[index] ?? [])])
}
