export interface PageWish {
  readonly limit?: string | undefined
  readonly offset?: string | undefined
}

/** What a caller asked for, held within bounds; a value that is no integer counts as missing. */
export function pageOf(
  { limit, offset }: PageWish,
  { fallback, most }: { readonly fallback: number; readonly most: number },
): { limit: number; offset: number } {
  return {
    limit: Math.min(Math.max(integerOf(limit) ?? fallback, 1), most),
    offset: Math.min(Math.max(integerOf(offset) ?? 0, 0), Number.MAX_SAFE_INTEGER),
  }
}

const integerOf = (text: string | undefined) =>
  text !== undefined && /^[+-]?\d{1,15}$/.test(text) ? Number(text) : null

/** A place in a list, as an opaque word that the next request sends back. */
export const asCursor = (blockNumber: string, blockLogIndex: number): string =>
  Buffer.from(`${blockNumber} ${blockLogIndex}`).toString('base64url')

export interface Place {
  readonly blockNumber: string
  readonly blockLogIndex: string
}

/** Null: no list of ours gave this cursor out. */
export function readCursor(cursor: string): Place | null {
  const [, blockNumber, blockLogIndex] =
    /^(\d{1,30}) (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return blockNumber && blockLogIndex ? { blockNumber, blockLogIndex } : null
}
