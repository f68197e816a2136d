import { appendFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../node_modules/.cache/tally-answers', import.meta.url))

/** A worker keeps its modules from file to file, so each field is noted once per worker. */
const noted = new Set<string>()
/** Rows of a list have one form; the first ones tell it. */
const ROWS_LOOKED_AT = 100

/** Notes which fields the tests were answered, with their JSON types; a full run is held against the table of conformance. */
export function noteAnswer(operation: string, leg: string, body: unknown): void {
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code
  const place = `${operation} ${code ?? leg}`
  const fresh: string[] = []
  look(body, '', (field, type) => {
    const line = `${place}\t${field}\t${type}`
    if (noted.has(line)) return
    noted.add(line)
    fresh.push(line)
  })
  if (fresh.length === 0) return
  mkdirSync(folder, { recursive: true })
  appendFileSync(`${folder}/${process.pid}.tsv`, `${fresh.join('\n')}\n`)
}

function look(value: unknown, at: string, note: (field: string, type: string) => void): void {
  note(at, typeOf(value))
  if (Array.isArray(value)) for (const element of value.slice(0, ROWS_LOOKED_AT)) look(element, `${at}[]`, note)
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) look(member, at === '' ? name : `${at}.${name}`, note)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
