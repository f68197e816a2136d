import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'tallystick-chain-'

/** Holds the log and the owner note of a chain that has no files. */
export function createScratchFolder(): string {
  return mkdtempSync(join(tmpdir(), prefix))
}

export function scratchFolders(): string[] {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(tmpdir(), name))
}

export function inScratchFolder(folder: string): string {
  return join(folder, 'node')
}
