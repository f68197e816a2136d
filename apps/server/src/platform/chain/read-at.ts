import type { Chain } from './chain.ts'
import type { ContractRead, ReadResult } from './contract-read.ts'
import { datedReturns, multicall, understoodAll } from './multicall.ts'
import { type BlockPlace, callAt, returnedBy } from './pinned.ts'

/** Many reads at one block that is known already: one round trip, one call per list. */
export async function readAt(
  chain: Chain,
  block: BlockPlace,
  calls: readonly (readonly ContractRead<unknown>[])[],
): Promise<ReadResult<unknown>[]> {
  const asked = calls.map((reads) => multicall(reads))
  const returns = await callAt(chain.rpc, block, asked, (answer) => datedReturns(returnedBy(answer)))
  return calls.flatMap((reads, index): ReadResult<unknown>[] => [...understoodAll(reads, returns[index] ?? [])])
}
