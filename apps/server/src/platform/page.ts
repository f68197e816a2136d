import { fieldError } from './app-error.ts'

export interface PageRequest {
  readonly limit?: string | undefined
  readonly offset?: string | undefined
}

interface Bounds {
  readonly fallback: number
  readonly most: number
}

/** What a caller asked for, held within bounds; a value that is no integer counts as missing. */
export const countOf = (text: string | undefined, { fallback, most }: Bounds): number =>
  Math.min(Math.max(integerOf(text) ?? fallback, 1), most)

export function pageOf({ limit, offset }: PageRequest, bounds: Bounds): { limit: number; offset: number } {
  return {
    limit: countOf(limit, bounds),
    offset: Math.min(Math.max(integerOf(offset) ?? 0, 0), Number.MAX_SAFE_INTEGER),
  }
}

function integerOf(text: string | undefined): number | null {
  return text !== undefined && /^[+-]?\d{1,15}$/.test(text) ? Number(text) : null
}

/** A place in a list, as an opaque word that the next request sends back. */
export const asCursor = (place: readonly string[]): string => Buffer.from(place.join(' ')).toString('base64url')

/** The parts of a cursor. One that this list never gave out is refused: to start over silently would repeat lines. */
export function readCursor(cursor: string | undefined, form: RegExp): string[] | null {
  if (cursor === undefined) return null
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!form.test(text)) throw fieldError('VALIDATION_ERROR', [{ field: 'cursor', message: 'is none of this list' }])
  return text.split(' ')
}
