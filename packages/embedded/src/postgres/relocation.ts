import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { StartFailedError } from '../errors.ts'

/** A place that every user of the machine can enter and that survives a reboot. */
export function relocatedFolder(originalPath: string): string {
  return `/var/tmp/tallystick-${createHash('sha256').update(originalPath).digest('hex').slice(0, 12)}`
}

/** The parent folder is writable for everybody, so a folder of that name may have been planted by somebody else. */
export function createRelocatedFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new StartFailedError(`${folder} exists but is not a folder of this user: remove it.`)
  }
  chmodSync(folder, 0o755)
}
