import type { Block } from '../../platform/chain/block.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import type { ContractRead, ResultsOf } from '../../platform/chain/contract-read.ts'
import type { BlockPlace } from '../../platform/chain/pinned.ts'
import { readAt } from '../../platform/chain/read-at.ts'

/** Reads at one block, however many rounds it takes: claims of an ONCHAINID are found by following answers. */
export interface BlockReader {
  read<const R extends readonly ContractRead<unknown>[]>(reads: R): Promise<ResultsOf<R>>
}

/** Reads at a block of the past. */
export const pastReader = (chain: Chain, block: BlockPlace): BlockReader => ({
  read: (reads) => readAt(chain, block, reads),
})

export interface LatestReader extends BlockReader {
  /** The block that everything was read at; the first read decides. */
  block(): Block
}

/** The first read is made at the newest block, all others at the same one. */
export function latestReader(chain: Chain): LatestReader {
  let pinned: Block | undefined
  return {
    async read(reads) {
      if (pinned) return readAt(chain, pinned, reads)
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
