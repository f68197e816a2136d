import { appendFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

const folder = fileURLToPath(new URL('../../../node_modules/.cache/tally-examples', import.meta.url))

/** What was sent to one leg of an operation, and what came back: a candidate for the example of the OpenAPI document. */
export interface RecordedExample {
  readonly operation: string
  readonly leg: string
  /** As it was called, with its query. */
  readonly path: string
  readonly body?: unknown
  /** A whole answer; of a stream one message. Absent: the answer is a file. */
  readonly answer?: unknown
}

/** Answers of one leg differ in form; of each form one is enough, and of some legs there are many forms. */
const FORMS_PER_LEG = 40
const forms = new Map<string, Set<string>>()

/** One item stands for a list. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]))
}

/** The same for values that differ in their texts and figures alone. */
const formOf = (value: unknown): string =>
  JSON.stringify(value, (_, member) =>
    typeof member === 'string' || typeof member === 'number' ? typeof member : member,
  )

/** Only for `npm run examples`: in every other run nothing is recorded, and a soak is no test run at all. */
export function recordExample(example: RecordedExample): void {
  if (process.env.VITEST === undefined || !inject('recordsExamples')) return
  const { operation, leg, body, answer } = example
  const key = `${operation} ${leg}`
  const known = forms.get(key) ?? new Set<string>()
  forms.set(key, known)
  const short: RecordedExample = { ...example, body: shortened(body), answer: shortened(answer) }
  const form = formOf([short.body, short.answer])
  if (known.has(form) || known.size >= FORMS_PER_LEG) return
  known.add(form)
  mkdirSync(folder, { recursive: true })
  appendFileSync(`${folder}/${process.pid}.jsonl`, `${JSON.stringify(short)}\n`)
}
