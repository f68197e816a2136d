import type { Hex } from 'viem'
import type { Block } from './block.ts'
import type { Chain } from './chain.ts'
import type { ContractRead, ReadResult } from './contract-read.ts'
import { datedReturns, multicall, understoodAll } from './multicall.ts'
import { ChainUnavailableError } from './rpc.ts'

/** Many reads at one block that is known already: one round trip, one call per list. */
export async function readAt(
  chain: Chain,
  block: Block,
  calls: readonly (readonly ContractRead<unknown>[])[],
): Promise<ReadResult<unknown>[]> {
  const at = { blockHash: block.hash, requireCanonical: true }
  const answers = await chain.rpc.batch(calls.map((reads) => ({ method: 'eth_call', params: [multicall(reads), at] })))
  return calls.flatMap((reads, index): ReadResult<unknown>[] => {
    const answer = answers[index]
    if (!answer?.ok || answer.value === '0x')
      throw new ChainUnavailableError('the node does not tell what stands at a block')
    return [...understoodAll(reads, datedReturns(answer.value as Hex).value)]
  })
}
