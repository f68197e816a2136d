import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** One request to a leg of an operation and its answer, as a test saw them. */
export interface Example {
  /** With its query. */
  readonly path: string
  readonly body?: unknown
  /** The whole of it; of a stream one message. Absent: the answer is a file. */
  readonly answer?: unknown
}

/** By operation, then by leg. */
export type Examples = Readonly<Record<string, Readonly<Record<string, Example>>>>

const FILE = fileURLToPath(new URL('./examples.json', import.meta.url))
let known: Examples | undefined

/** Written by `npm run examples`; read when somebody first asks for it. */
export function recordedExamples(): Examples {
  known ??= JSON.parse(readFileSync(FILE, 'utf8')) as Examples
  return known
}
