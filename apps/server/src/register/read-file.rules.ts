import type { RegisterFile } from '@tallystick/wire'
import { readDay } from './cells.rules.ts'
import { parseCsv, UnterminatedQuoteError } from './csv.rules.ts'
import { readStatement, type Statement, withNote } from './entity.rules.ts'
import { isHeader, type Layout, layoutOf } from './layouts.rules.ts'
import { alignRow } from './rows.rules.ts'

/** Raise when the same bytes would be understood or found differently: an unchanged file is then imported again, every entity of it. */
export const READING = 4

/** A file that must not replace what is there, and why. */
export class RefusedFileError extends Error {
  override readonly name = 'RefusedFileError'
}

export interface Malformed {
  readonly line: number
  readonly reason: string
}

export interface ReadFile {
  readonly file: RegisterFile
  readonly rows: number
  readonly statements: readonly Statement[]
  readonly malformed: readonly Malformed[]
}

const MOST_MALFORMED = 1_000

/** Whether the last cells end where a writer would end them, and not in the middle of a date. */
function endsWhole(text: string, header: readonly string[], cells: readonly string[]): boolean {
  const last = cells.length - 1
  if (text.endsWith('\n') || !header[last]?.endsWith('lastupdate')) return true
  return readDay(cells[last] ?? '') !== undefined
}

interface Progress {
  readonly isAssumed: boolean
  readonly layout: Layout
  readonly header: readonly string[]
  readonly statements: Statement[]
  readonly malformed: Malformed[]
}

/** Only characters beyond ASCII differ from one encoding to the other. */
const isForeign = (cell: string): boolean => /[^\0-\x7F]/.test(cell)

/** Takes in one record that is no comment of the file on itself; false when it has not the cells of the header. */
function takeRecord(
  { isAssumed, layout, header, statements, malformed }: Progress,
  line: number,
  cells: readonly string[],
): boolean {
  if (isHeader(cells, layout)) return true
  const row = alignRow(layout, header, line, cells)
  const statement = row && readStatement(layout, row)
  if (statement)
    statements.push(isAssumed && cells.some(isForeign) ? withNote(statement, 'ENCODING_ASSUMED') : statement)
  else if (row) malformed.push({ line, reason: 'names nobody' })
  else malformed.push({ line, reason: `has ${cells.length} cells where the header has ${header.length}` })
  return row !== null
}

function readRecords({ text, isAssumed }: Decoded): Progress {
  const records = parseCsv(text)
  const first = records.next()
  const header = first.done ? [] : (first.value.cells ?? []).map((name) => name.trim())
  const layout = layoutOf(header)
  if (!layout) throw new RefusedFileError(`the header is that of none of the files: ${header.join(',').slice(0, 120)}`)
  const progress: Progress = { isAssumed, layout, header, statements: [], malformed: [] }
  let last: { cells: readonly string[]; whole: boolean } | undefined
  for (const { line, cells, fault } of records) {
    if (cells === undefined) progress.malformed.push({ line, reason: fault })
    else if (cells.some((cell) => cell.trim() !== '')) last = { cells, whole: takeRecord(progress, line, cells) }
    if (progress.malformed.length > MOST_MALFORMED)
      throw new RefusedFileError(`more than ${MOST_MALFORMED} rows cannot be read`)
  }
  if (last && !last.whole)
    throw new RefusedFileError(
      `the file is cut short: its last row has ${last.cells.length} cells, its header ${header.length}`,
    )
  if (last && !endsWhole(text, header, last.cells)) throw new RefusedFileError('the file is cut short in its last cell')
  return progress
}

interface Decoded {
  readonly text: string
  /** The bytes are no UTF-8, and were read as what a spreadsheet of Western Europe writes. */
  readonly isAssumed: boolean
}

/** Where Windows-1252 differs from Latin-1, from 0x80 on; five bytes stand for nothing. The decoder of Node takes the one for the other. */
const UNDEFINED = '\0'
const WESTERN_SIGNS = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** The text of a file. Bytes that are text in no encoding known here are refused: lost characters would replace good ones. */
function decode(bytes: Uint8Array): Decoded {
  // The decoder takes the byte order mark away, and puts U+FFFD where bytes are no text.
  const text = new TextDecoder('utf-8').decode(bytes)
  const { buffer, byteOffset, byteLength } = bytes
  const raw = Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
  const published = countOf(raw, /\xEF\xBF\xBD/g)
  const lost = countOf(text, /\uFFFD/g) - published
  if (lost === 0) return { text, isAssumed: false }
  const isMarked = raw.startsWith('\xEF\xBB\xBF')
  const read = countOf(text, /[^\0-\x7F\uFFFD]/gu) + published
  const line = countOf(text.slice(0, text.indexOf('\uFFFD')), /\n/g) + 1
  if (isMarked || read > lost)
    throw new RefusedFileError(`it is UTF-8 with ${lost} places that are no text, the first of them on line ${line}`)
  const western = raw.replace(/[\x80-\x9F]/g, (sign) => WESTERN_SIGNS[sign.charCodeAt(0) - 0x80] ?? sign)
  if (western.includes(UNDEFINED)) throw new RefusedFileError('it is neither UTF-8 nor Windows-1252')
  return { text: western, isAssumed: true }
}

/** What a file says. Rows that cannot be read are told apart; a file that cannot be trusted as a whole is refused. */
export function readFile(bytes: Uint8Array): ReadFile {
  try {
    const { layout, statements, malformed } = readRecords(decode(bytes))
    return { file: layout.file, rows: statements.length, statements, malformed }
  } catch (error) {
    if (error instanceof UnterminatedQuoteError)
      throw new RefusedFileError(`the file is cut short: ${error.message}`, { cause: error })
    throw error
  }
}
