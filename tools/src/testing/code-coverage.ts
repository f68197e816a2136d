import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One promise of the error catalogue: this leg of this operation can answer this code. */
export type CodePlace = { operation: string; leg: string; code: string }

const label = ({ operation, leg, code }: CodePlace) => `${operation} ${leg} ${code}`

/** What the tests provoked: each worker appends lines to a file of its own in this folder. */
export function readProvoked(folder: string): CodePlace[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as CodePlace)
}

/** The catalogue and the tests must agree in both directions; answers what does not, ready to print. */
export function codeCoverageFindings(listed: CodePlace[], provoked: CodePlace[]): string[] {
  const listedLabels = new Set(listed.map(label))
  const provokedLabels = new Set(provoked.map(label))
  return [
    ...[...listedLabels].filter((each) => !provokedLabels.has(each)).map((each) => `listed, never provoked: ${each}`),
    ...[...provokedLabels].filter((each) => !listedLabels.has(each)).map((each) => `provoked, not listed: ${each}`),
  ].sort()
}
