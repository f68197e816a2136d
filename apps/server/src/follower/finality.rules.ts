export type Finality = 'MINED' | 'SAFE' | 'FINALIZED' | 'ORPHANED'

/** Heights up to which a chain calls its blocks safe and final. */
export interface FinalityHeights {
  readonly safe: bigint
  readonly finalized: bigint
}

/** A chain without the tags counts confirmations instead. */
export function finalityHeights(
  head: bigint,
  tagged: { readonly safe: bigint | null; readonly finalized: bigint | null },
  confirmations: number,
): FinalityHeights {
  const counted = head - BigInt(confirmations)
  return { safe: tagged.safe ?? counted, finalized: tagged.finalized ?? counted }
}

/** Where an event stands, given the hash that the chain shows at its height now; null: the chain is shorter. */
export function finalityOf(
  event: { readonly blockNumber: bigint; readonly blockHash: string },
  canonicalHash: string | null,
  heights: FinalityHeights,
): Finality {
  if (canonicalHash !== event.blockHash) return 'ORPHANED'
  if (event.blockNumber <= heights.finalized) return 'FINALIZED'
  return event.blockNumber <= heights.safe ? 'SAFE' : 'MINED'
}
