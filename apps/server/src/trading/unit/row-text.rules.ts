type Value = string | number | bigint | boolean | Date | null | undefined

const QUOTED = /[\s",(){}\\]|^$/
const escaped = (text: string): string => text.replace(/["\\]/g, '\\$&')

function fieldOf(value: Value): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return QUOTED.test(value) ? escaped(`"${escaped(value)}"`) : value
  return value instanceof Date ? value.toISOString() : String(value)
}

/** Rows as the text of an array of PostgreSQL: a third of their JSON, and taken apart in less than half of the time. */
export function asRowArray<T>(rows: Iterable<T>, fields: (row: T) => readonly Value[]): string {
  let text = '{'
  for (const row of rows) {
    text += text.length === 1 ? '"(' : ',"('
    let isFirst = true
    for (const value of fields(row)) {
      if (!isFirst) text += ','
      isFirst = false
      text += fieldOf(value)
    }
    text += ')"'
  }
  return `${text}}`
}
