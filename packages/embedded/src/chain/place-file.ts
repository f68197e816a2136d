import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** There whole, or not at all. */
export function placeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.placing`, content, { mode: 0o600 })
  renameSync(`${path}.placing`, path)
}
