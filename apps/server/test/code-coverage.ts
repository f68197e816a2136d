import { appendFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../node_modules/.cache/tally-coverage', import.meta.url))

/** A worker keeps its modules from file to file, so each code of a leg is noted once per worker. */
const noted = new Set<string>()

/** Notes which codes the tests provoked; a full run fails when the catalogue lists one that none did. */
export function noteProvoked({ operation, leg, code }: { operation: string; leg: string; code: string }): void {
  const line = JSON.stringify({ operation, leg, code })
  if (noted.has(line)) return
  noted.add(line)
  mkdirSync(folder, { recursive: true })
  appendFileSync(`${folder}/${process.pid}.jsonl`, `${line}\n`)
}
