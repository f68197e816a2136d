import type { Hex } from './hex.ts'

export interface BlockPlace {
  segment: number
  offset: number
  length: number
}

interface IndexedBlock extends BlockPlace {
  hash: Hex
  transactions: readonly Hex[]
}

/** Where each block stands in the files, by number, by hash and by the hashes of its transactions. */
export function createBlockIndex() {
  const blocks = new Map<number, IndexedBlock>()
  const byHash = new Map<Hex, number>()
  const byTransaction = new Map<Hex, number>()

  function remove(number: number): void {
    const block = blocks.get(number)
    if (!block) return
    blocks.delete(number)
    byHash.delete(block.hash)
    for (const hash of block.transactions) if (byTransaction.get(hash) === number) byTransaction.delete(hash)
  }

  return {
    add(number: number, block: IndexedBlock): void {
      blocks.set(number, block)
      byHash.set(block.hash, number)
      for (const hash of block.transactions) byTransaction.set(hash, number)
    },
    remove,
    has: (number: number) => blocks.has(number),
    place: (number: number): IndexedBlock | undefined => blocks.get(number),
    numberOfBlock: (hash: Hex) => byHash.get(hash),
    numberOfTransaction: (hash: Hex) => byTransaction.get(hash),
    /** Of a segment that is deleted. */
    removeSegment(segment: number): void {
      for (const [number, block] of blocks) if (block.segment === segment) remove(number)
    },
  }
}
