import type { Chain } from './chain.ts'
import type { ContractRead, ResultsOf } from './contract-read.ts'
import { datedReturns, multicalls, READS_PER_CALL, understoodAll } from './multicall.ts'
import { type BlockPlace, callAt, returnedBy } from './pinned.ts'

/** Reads at one block that is known already, however many: one round trip. Cheap ones fit more into a call. */
export async function readAt<const R extends readonly ContractRead<unknown>[]>(
  { rpc }: Pick<Chain, 'rpc'>,
  block: BlockPlace,
  reads: R,
  perCall = READS_PER_CALL,
): Promise<ResultsOf<R>> {
  const returns = await callAt(rpc, block, multicalls(reads, perCall), (answer) => datedReturns(returnedBy(answer)))
  return understoodAll(reads, returns.flat())
}
