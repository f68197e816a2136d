const QUOTED = /[\s",(){}\\]|^$/
const escaped = (text: string): string => text.replace(/["\\]/g, '\\$&')

/** A text in a row. Ids of our own and words of a list need no look at their characters. */
export const textField = (value: string | null): string => {
  if (value === null) return ''
  return QUOTED.test(value) ? escaped(`"${escaped(value)}"`) : value
}

/** What is written as it is; null is nothing at all. */
export const plainField = (value: string | number | bigint | null): string | number | bigint => value ?? ''

export const timeField = (value: Date | null): string => value?.toISOString() ?? ''

/**
 * Rows as the text of an array of PostgreSQL: a third of their JSON, and taken apart in less than half of the time. `fields` are those of one row,
 * with commas between them.
 */
export function asRowArray<T>(rows: Iterable<T>, fields: (row: T) => string): string {
  let text = '{'
  for (const row of rows) text += `${text.length === 1 ? '' : ','}"(${fields(row)})"`
  return `${text}}`
}
