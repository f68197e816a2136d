import { fold } from './fold.rules.ts'

/** A request that is not acceptable: which field, and how it should be. */
export interface Fault {
  readonly field: string
  readonly message: string
}

const lengthOf = (text: string): number => [...text].length

export const QUERY_LENGTH = { least: 2, most: 200 } as const

/** What is wrong with a search text, once trimmed. */
export function queryFault(field: string, text: string, least: number = QUERY_LENGTH.least): Fault | undefined {
  const length = lengthOf(text)
  if (length < least) return { field, message: `must have at least ${least} characters once trimmed` }
  if (length > QUERY_LENGTH.most) return { field, message: `must have at most ${QUERY_LENGTH.most} characters` }
  return undefined
}

/** A limit that is refused when it is no integer from 1, and capped. Undefined: refused. */
export function strictLimit(
  text: string | undefined,
  { fallback, most }: { fallback: number; most: number },
): number | undefined {
  if (text === undefined) return fallback
  if (!/^\+?\d{1,15}$/.test(text)) return undefined
  const wanted = Number(text)
  return wanted < 1 ? undefined : Math.min(wanted, most)
}

/** A number held within bounds; one that is none counts as missing. */
export function boundedNumber(
  text: string | undefined,
  { fallback, least, most }: { fallback: number; least: number; most: number },
): number {
  const wanted = text !== undefined && /^[+-]?\d{1,15}$/.test(text) ? Number(text) : fallback
  return Math.min(Math.max(wanted, least), most)
}

/** The words of a comma list, or the fault of the first that is none of the known ones. Upper and lower case are the same. */
export function listOf<T extends string>(
  field: string,
  text: string | undefined,
  known: readonly T[],
): readonly T[] | Fault {
  if (text === undefined || text.trim() === '') return []
  const wanted = text.split(',').map((word) => word.trim())
  const found = wanted.map((word) => known.find((one) => one.toLowerCase() === word.toLowerCase()))
  if (found.some((one) => one === undefined)) return { field, message: `must be a comma list of ${known.join(', ')}` }
  return [...new Set(found as T[])]
}

/** The countries that a comma list of codes and parts of names means. */
export function countriesOf(text: string, known: readonly { code: string; name: string }[]): string[] {
  const codes = text.split(',').flatMap((word) => {
    const wanted = fold(word)
    if (wanted === '') return []
    const byCode = known.filter(({ code }) => code.toLowerCase() === wanted || (wanted === 'el' && code === 'GR'))
    return byCode.length > 0 ? byCode : known.filter(({ name }) => fold(name).includes(wanted))
  })
  return [...new Set(codes.map(({ code }) => code))]
}

/** A place in the feed of changes, as an opaque word that the next request sends back. */
export const asCursor = ({ importNumber, place }: Place): string =>
  Buffer.from(`${importNumber} ${place}`).toString('base64url')

export interface Place {
  readonly importNumber: string
  readonly place: number
}

/** Null: no cursor of this feed. */
export function readCursor(cursor: string): Place | null {
  const [, importNumber, place] = /^(\d{1,18}) (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return importNumber === undefined || place === undefined ? null : { importNumber, place: Number(place) }
}
