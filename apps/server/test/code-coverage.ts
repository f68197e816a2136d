import { appendFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../node_modules/.cache/tally-coverage', import.meta.url))

/** Notes which codes the tests provoked; a full run fails when the catalogue lists one that none did. */
export function noteProvoked(failure: { operation: string; leg: string; code: string }): void {
  mkdirSync(folder, { recursive: true })
  appendFileSync(`${folder}/${process.pid}.jsonl`, `${JSON.stringify(failure)}\n`)
}
