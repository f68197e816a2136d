/**
 * Reads RFC 4180 to the letter, by nothing of ours: lines end with CRLF, also the last one; a quote stands only around a cell, and doubled
 * inside of one. Answers the rows by the names of the header.
 */
export function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    const quoted = /"((?:[^"]|"")*)"/y
    const plain = /[^",\r\n]*/y
    quoted.lastIndex = plain.lastIndex = at
    const found = text[at] === '"' ? quoted.exec(text) : plain.exec(text)
    if (!found) throw new Error(`no cell at ${at}: ${text.slice(at, at + 40)}`)
    row.push(found[1]?.replaceAll('""', '"') ?? found[0])
    at += found[0].length
    if (text[at] === ',') {
      at += 1
      continue
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`no end of a line at ${at}: ${text.slice(at, at + 40)}`)
    at += 2
    rows.push(row)
    row = []
  }
  if (row.length > 0) throw new Error('the last line has no end')
  const [names = [], ...rest] = rows
  return rest.map((cells) => {
    if (cells.length !== names.length) throw new Error(`a row of ${cells.length} cells, not ${names.length}`)
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))
  })
}
