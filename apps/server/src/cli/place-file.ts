import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Puts a file where an embedded stack looks for it, whole or not at all. Only while nothing runs. */
export function placeFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.restored`, text, { mode: 0o600 })
  renameSync(`${file}.restored`, file)
}
