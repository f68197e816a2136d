import { accessSync, constants, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

/** Where Linux keeps files in memory. Other systems have none, and containers often one that is too small. */
const IN_MEMORY = '/dev/shm'
/** The databases of three workers and the log of the server, several times over. */
const ROOM_BYTES = 3 * 1024 ** 3

/**
 * Where throw-away databases go. Every test file clones one of a thousand files and drops it: a file system on disk walks past all that
 * it has just deleted whenever it makes a file, and that takes more than the queries do.
 */
export function throwAwayParent({ onDisk = false } = {}): string {
  return !onDisk && hasRoom(IN_MEMORY) && freemem() > ROOM_BYTES ? IN_MEMORY : tmpdir()
}

/** Everywhere that an earlier run may have left something. */
export const throwAwayParents = (): string[] => [tmpdir(), ...(isWritable(IN_MEMORY) ? [IN_MEMORY] : [])]

function hasRoom(folder: string): boolean {
  if (!isWritable(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > ROOM_BYTES
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
