import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StartFailedError } from '../errors.ts'
import { createRelocatedFolder, relocatedFolder } from './relocation.ts'
import { isReachableBy, type SystemUser } from './system-user.ts'

export interface DataLocation {
  /** Where the files really are. */
  dataDir: string
  /** What the caller asked for; a file pointing to `dataDir` stands there when the two differ. */
  requestedDir: string
  /** A relocated database whose pointer is gone was given up by its user: it must be initialised afresh. */
  abandoned: boolean
}

export function locateData(wantedDir: string, user: SystemUser | undefined): DataLocation {
  const requestedDir = canonical(wantedDir)
  const found = lstatSync(requestedDir, { throwIfNoEntry: false })
  if (found?.isFile()) return { dataDir: followPointer(requestedDir), requestedDir, abandoned: false }
  if (!user || isReachableBy(user, dirname(requestedDir))) {
    return { dataDir: requestedDir, requestedDir, abandoned: false }
  }
  if (found && readdirSync(requestedDir).length > 0) {
    throw new StartFailedError(
      `The database in ${requestedDir} lies below a folder that the system user of PostgreSQL cannot enter: open that folder (chmod o+x) or move the database.`,
    )
  }
  const folder = relocatedFolder(requestedDir)
  createRelocatedFolder(folder)
  const dataDir = join(folder, 'data')
  return { dataDir, requestedDir, abandoned: existsSync(dataDir) }
}

/** Written only after the database exists, so that a pointer never leads to a half-made one. */
export function leavePointer({ dataDir, requestedDir }: DataLocation): void {
  if (dataDir === requestedDir || lstatSync(requestedDir, { throwIfNoEntry: false })?.isFile()) return
  if (existsSync(requestedDir)) rmdirSync(requestedDir)
  writeFileSync(
    requestedDir,
    `The system user of PostgreSQL cannot enter this folder, so the database is kept in the folder named below.\nDelete this file to start again with an empty database.\n${dataDir}\n`,
  )
}

/** Where the files of a database are that may exist; makes nothing. */
export function existingData(wantedDir: string): string {
  const requestedDir = canonical(wantedDir)
  return lstatSync(requestedDir, { throwIfNoEntry: false })?.isFile() ? pointerTarget(requestedDir) : requestedDir
}

function pointerTarget(pointer: string): string {
  return readFileSync(pointer, 'utf8').trim().split('\n').at(-1) ?? ''
}

function followPointer(pointer: string): string {
  const target = pointerTarget(pointer)
  if (target.startsWith('/') && existsSync(join(target, 'PG_VERSION'))) return target
  throw new StartFailedError(
    `${pointer} says that the database is in ${target || 'no folder'}, but there is none: restore it, or delete ${pointer} to start with an empty one.`,
  )
}

/** One spelling per folder, so that the command line of a running server can be compared with it. */
function canonical(folder: string): string {
  const absolute = resolve(folder)
  mkdirSync(dirname(absolute), { recursive: true })
  return join(realpathSync(dirname(absolute)), basename(absolute))
}
