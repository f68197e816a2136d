import type { RegisterFile } from '@tallystick/wire'
import { readDay } from './cells.rules.ts'
import { parseCsv, UnterminatedQuoteError } from './csv.rules.ts'
import { type Entity, readStatement, type Statement } from './entity.rules.ts'
import { isHeader, type Layout, layoutOf } from './layouts.rules.ts'
import { mergeEntities } from './merge.rules.ts'
import { alignRow } from './rows.rules.ts'

/** Raise when the same bytes would be understood differently: an unchanged file is then imported again. */
export const READING = 2

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
  readonly entities: readonly Entity[]
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
  readonly layout: Layout
  readonly header: readonly string[]
  readonly statements: Statement[]
  readonly malformed: Malformed[]
}

/** Takes in one record that is no comment of the file on itself; false when it has not the cells of the header. */
function takeRecord(
  { layout, header, statements, malformed }: Progress,
  line: number,
  cells: readonly string[],
): boolean {
  if (isHeader(cells, layout)) return true
  const row = alignRow(layout, header, line, cells)
  const statement = row && readStatement(layout, row)
  if (statement) statements.push(statement)
  else if (row) malformed.push({ line, reason: 'names nobody' })
  else malformed.push({ line, reason: `has ${cells.length} cells where the header has ${header.length}` })
  return row !== null
}

function readRecords(text: string): Progress {
  const records = parseCsv(text)
  const first = records.next()
  const header = first.done ? [] : (first.value.cells ?? []).map((name) => name.trim())
  const layout = layoutOf(header)
  if (!layout) throw new RefusedFileError(`the header is that of none of the files: ${header.join(',').slice(0, 120)}`)
  const progress: Progress = { layout, header, statements: [], malformed: [] }
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

/** What a file says. Rows that cannot be read are told apart; a file that cannot be trusted as a whole is refused. */
export function readFile(bytes: Uint8Array): ReadFile {
  // The decoder takes the byte order mark away, and puts U+FFFD where bytes are no text.
  const text = new TextDecoder('utf-8').decode(bytes)
  try {
    const { layout, statements, malformed } = readRecords(text)
    return { file: layout.file, rows: statements.length, entities: mergeEntities(statements), malformed }
  } catch (error) {
    if (error instanceof UnterminatedQuoteError)
      throw new RefusedFileError(`the file is cut short: ${error.message}`, { cause: error })
    throw error
  }
}
