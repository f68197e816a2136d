import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createRelocatedFolder, relocatedFolder } from './relocation.ts'
import { isReachableBy, type SystemUser } from './system-user.ts'

export interface NativeFiles {
  initdb: string
  postgres: string
}

/** Binaries that the user can run: the installed ones, or a copy when they lie in a folder closed to that user. */
export function usableNativeFiles(installed: string, user: SystemUser | undefined): NativeFiles {
  const reachable = !user || isReachableBy(user, join(installed, 'bin', 'postgres'))
  const native = reachable && linksComplete(installed) ? installed : copiedNative(installed)
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

function copiedNative(installed: string): string {
  const folder = relocatedFolder(installed)
  const version = JSON.parse(readFileSync(join(installed, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(folder, `postgres-${version.version}`)
  createRelocatedFolder(folder)
  if (existsSync(copy)) return copy
  const unfinished = mkdtempSync(join(folder, 'copying-'))
  cpSync(installed, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  linksComplete(join(unfinished, 'native'))
  try {
    renameSync(join(unfinished, 'native'), copy)
  } catch (error) {
    // Another process finished the same copy first.
    if (!existsSync(copy)) throw error
  }
  rmSync(unfinished, { recursive: true, force: true })
  return copy
}

/**
 * npm packages cannot hold symbolic links: a postinstall script makes those of the shared libraries, unless npm was
 * told to run no scripts. Returns false when they are missing and cannot be made here.
 */
export function linksComplete(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(native, relative('native', target))
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}
