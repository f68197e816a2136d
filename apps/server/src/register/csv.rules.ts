/** One record of a file, or why the line at which it starts is none. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[]; readonly fault?: undefined }
  | { readonly line: number; readonly cells?: undefined; readonly fault: string }

/** The file ends inside a quoted cell. */
export class UnterminatedQuoteError extends Error {
  override readonly name = 'UnterminatedQuoteError'
  readonly line: number

  constructor(line: number) {
    super(`a quoted cell that begins on line ${line} never ends`)
    this.line = line
  }
}

/** No honest cell is larger. Also bounds how much a stray quote can swallow before it is noticed. */
const MAX_CELL_LENGTH = 32_768

type Cell = { readonly text: string; readonly end: number } | { readonly fault: string }

function quotedCell(text: string, start: number, line: number): Cell {
  const parts: string[] = []
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    const length = (quote === -1 ? text.length : quote) - start
    if (length > MAX_CELL_LENGTH) return { fault: `a quoted cell is longer than ${MAX_CELL_LENGTH} characters` }
    if (quote === -1) throw new UnterminatedQuoteError(line)
    parts.push(text.slice(from, quote))
    if (text[quote + 1] !== '"') {
      if (!endsCell(text, quote + 1)) return { fault: 'text follows a closing quote' }
      return { text: parts.join(''), end: quote + 1 }
    }
    parts.push('"')
    from = quote + 2
  }
}

const endsCell = (text: string, at: number): boolean =>
  at >= text.length || text[at] === ',' || text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n')

const CELL_END = /[,\r\n"]/g

function plainCell(text: string, start: number): Cell {
  CELL_END.lastIndex = start
  const end = CELL_END.exec(text)?.index ?? text.length
  if (end - start > MAX_CELL_LENGTH) return { fault: `a cell is longer than ${MAX_CELL_LENGTH} characters` }
  if (text[end] === '"') return { fault: 'a quote stands inside a cell without quotes' }
  if (text[end] === '\r' && text[end + 1] !== '\n') return { fault: 'a carriage return stands outside of quotes' }
  return { text: text.slice(start, end), end }
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/**
 * Comma-separated values by RFC 4180, record by record. Of a record that breaks the rules only the first line is given up: a stray
 * quote may have run through good records that follow, so reading goes on at the very next line.
 */
export function* parseCsv(text: string): Generator<CsvRecord, void> {
  let at = 0
  let line = 1
  while (at < text.length) {
    const start = at
    const cells: string[] = []
    let fault: string | undefined
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at)
      if ('fault' in cell) {
        fault = cell.fault
        break
      }
      cells.push(cell.text)
      at = cell.end
      if (text[at] !== ',') break
      at += 1
    }
    if (fault === undefined) {
      if (at < text.length) at += text[at] === '\r' ? 2 : 1
      yield { line, cells }
    } else {
      const end = text.indexOf('\n', start)
      at = end === -1 ? text.length : end + 1
      yield { line, fault }
    }
    line += countLines(text, start, at)
  }
}
