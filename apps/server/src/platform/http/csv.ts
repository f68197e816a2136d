import { Readable } from 'node:stream'
import type { CsvSpec } from '@tallystick/wire'
import { MEMBER_NAME } from '@tallystick/wire'

const LINE_END = '\r\n'
const NUMBER = /^-?\d+(\.\d+)?$/
/** What a spreadsheet would take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/**
 * One cell of RFC 4180. Texts come from strangers, such as the name of a key: one that a spreadsheet would run begins with an apostrophe
 * instead. Numbers stay numbers, also negative ones.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const line = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}${LINE_END}`

/** What stands at a dotted path; of a list, at an index. */
function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((found, name) => (found as Readonly<Record<string, unknown>> | null | undefined)?.[name], value)
}

/** The rows of an answer: a list, or the members of an object, each with its name. */
export function rowsOf({ rows }: CsvSpec, data: unknown): readonly unknown[] {
  const found = at(data, rows)
  if (Array.isArray(found)) return found
  return Object.entries(found as Readonly<Record<string, object>>).map(([name, member]) => ({
    ...member,
    [MEMBER_NAME]: name,
  }))
}

type Query = Readonly<Record<string, string | undefined>>

/** What asks for the page behind this one; null: this was the last. */
export function nextQuery(spec: CsvSpec, query: Query, data: unknown): Query | null {
  const cursor = at(data, 'nextCursor')
  if (typeof cursor === 'string') return { ...query, cursor, offset: undefined }
  // Pages by offset hold together only where the first one says what they are all read at.
  if (!spec.page || !spec.pins || rowsOf(spec, data).length < spec.page) return null
  const pinned = Object.fromEntries(spec.pins.map((name) => [name, String(at(data, name))]))
  return { ...query, ...pinned, offset: String(Number(query.offset ?? 0) + spec.page) }
}

async function* written(
  spec: CsvSpec,
  first: { readonly query: Query; readonly data: unknown },
  read: (query: Query) => Promise<unknown>,
) {
  const paths = Object.values(spec.columns)
  const linesOf = (data: unknown) =>
    rowsOf(spec, data)
      .map((row) => line(paths.map((path) => at(row, path))))
      .join('')
  yield line(Object.keys(spec.columns)) + linesOf(first.data)
  let next = nextQuery(spec, first.query, first.data)
  while (next) {
    const data = await read(next)
    const lines = linesOf(data)
    if (lines !== '') yield lines
    next = nextQuery(spec, next, data)
  }
}

/**
 * The whole list as a file, page by page: the next one is read when its receiver has taken the one before, so that a slow receiver costs no
 * memory. What fails in between breaks the connection off: half a file shall not look like a whole one.
 */
export const csvStream = (...parts: Parameters<typeof written>): Readable =>
  Readable.from(written(...parts), { objectMode: false, highWaterMark: 1 })

interface Wanted {
  readonly type: string
  readonly quality: number
}

function parseAccept(header: string): Wanted[] {
  return header
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
      const given = parameters.find((word) => word.startsWith('q='))?.slice(2)
      const quality = given === undefined ? 1 : Number(given)
      return { type, quality: Number.isFinite(quality) ? quality : 0 }
    })
    .filter(({ quality }) => quality > 0)
}

const TAKES_JSON = new Set(['application/json', 'application/*', '*/*', ''])

/** What the caller wants: `csv` where it is named and liked at least as much as JSON, `only csv` where nothing else will do. */
export function wantedForm(accept: string | undefined): 'json' | 'csv' | 'only csv' {
  const wanted = parseAccept(accept ?? '')
  const csv = wanted.findIndex(({ type }) => type === 'text/csv')
  if (csv < 0) return 'json'
  const json = wanted.findIndex(({ type }) => TAKES_JSON.has(type))
  if (json < 0) return 'only csv'
  const [a = 0, b = 0] = [wanted[csv]?.quality, wanted[json]?.quality]
  return a > b || (a === b && csv < json) ? 'csv' : 'json'
}
