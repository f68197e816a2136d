export interface Column<Row> {
  readonly title: string
  text(row: Row): string
}

/** A column that shows a field as it is. */
export const column = <Row extends object>(title: string, name: keyof Row & string): Column<Row> => ({
  title,
  text: (row) => cell(row[name]),
})

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(cell).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What would move the cursor or change colours is shown as what it is: names are written by callers. */
const harmless = (text: string) => text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1))

/** Rows under their titles, each column as wide as its widest cell, no spaces at the ends of lines. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ text }) => harmless(text(row)))),
  ]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)))
  return lines
    .map((line) => line.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}
