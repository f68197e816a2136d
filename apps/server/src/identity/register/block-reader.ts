import type { Hex } from 'viem'
import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { ContractRead, ResultsOf } from '../../platform/chain/contract-read.ts'
import { datedReturns, multicall, understoodAll } from '../../platform/chain/multicall.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'

/** Reads at one block, however many rounds it takes: claims of an ONCHAINID are found by following answers. */
export interface BlockReader {
  read<const R extends readonly ContractRead<unknown>[]>(reads: R): Promise<ResultsOf<R>>
}

async function readAt<const R extends readonly ContractRead<unknown>[]>(chain: Chain, hash: Hex, reads: R) {
  if (reads.length === 0) return [] as unknown as ResultsOf<R>
  const [answer] = await chain.rpc.batch([
    { method: 'eth_call', params: [multicall(reads), { blockHash: hash, requireCanonical: true }] },
  ])
  if (!answer?.ok || answer.value === '0x')
    throw new ChainUnavailableError(`the node does not tell how contracts stood at block ${hash}`)
  return understoodAll(reads, datedReturns(answer.value as Hex).value)
}

/** Reads at the block of this hash. */
export const pastReader = (chain: Chain, hash: Hex): BlockReader => ({ read: (reads) => readAt(chain, hash, reads) })

export interface LatestReader extends BlockReader {
  /** The block that everything was read at; the first read decides. */
  block(): Block
}

/** The first read is made at the newest block, all others at the same one. */
export function latestReader(chain: Chain): LatestReader {
  let pinned: Block | undefined
  return {
    async read(reads) {
      if (pinned) return readAt(chain, pinned.hash, reads)
      const { block, results } = await chain.read(reads)
      pinned = block
      return results
    },
    block() {
      if (!pinned) throw new Error('nothing was read yet')
      return pinned
    },
  }
}
