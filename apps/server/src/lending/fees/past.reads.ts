import { type Hex, numberToHex } from 'viem'
import { asBlock, type Block, getBlock } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { ContractRead, ResultsOf } from '../../platform/chain/contract-read.ts'
import { datedReturns, multicall, understoodAll } from '../../platform/chain/multicall.ts'
import { readAt as readAtBlock } from '../../platform/chain/read-at.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'

/**
 * What contracts answered at a height of the past, in one round trip, with the newest block beside it. Figures that come from the
 * record are held against the chain at the block that the record knows, not at the newest.
 */
export async function readAt<const R extends readonly ContractRead<unknown>[]>(
  chain: Chain,
  height: bigint,
  reads: R,
): Promise<{ block: Block; latest: Block; results: ResultsOf<R> }> {
  const [head, then, answer] = await chain.rpc.batch([
    getBlock('latest'),
    getBlock(height),
    { method: 'eth_call', params: [multicall(reads), numberToHex(height)] },
  ])
  const latest = asBlock(head)
  const block = asBlock(then)
  if (!latest || !block || !answer?.ok || answer.value === '0x')
    throw new ChainUnavailableError(`the node does not tell how contracts stood at block ${height}`)
  const first = datedReturns(answer.value as Hex)
  if (first.height === height) return { block, latest, results: understoodAll(reads, first.value) }
  return { block, latest, results: await readAtBlock(chain, block, reads) }
}
