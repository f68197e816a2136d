import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type TemporaryTree = { root: string; remove: () => void }

/** Writes a throw-away tree for a test of a check: a text for a file, `{ linkTo }` for a symbolic link. */
export function writeTemporaryTree(entries: Record<string, string | { linkTo: string }>): TemporaryTree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tallystick-tools-')))
  for (const [path, entry] of Object.entries(entries)) {
    const target = join(root, path)
    mkdirSync(dirname(target), { recursive: true })
    if (typeof entry === 'string') writeFileSync(target, entry)
    else symlinkSync(join(root, entry.linkTo), target)
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}
