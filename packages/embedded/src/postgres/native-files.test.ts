import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isRoot, openFolder } from '../../test/scenario.ts'
import { installedPostgres } from '../platform-binaries.ts'
import { linksComplete, usableNativeFiles } from './native-files.ts'
import { relocatedFolder } from './relocation.ts'
import { ensureSystemUser, isReachableBy } from './system-user.ts'

function copyInstalled(folder: string): string {
  const installed = installedPostgres()
  mkdirSync(folder, { recursive: true })
  cpSync(join(installed, '..', 'package.json'), join(folder, 'package.json'))
  cpSync(installed, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native')
}

function removeLinks(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isSymbolicLink()) rmSync(join(entry.parentPath, entry.name))
}

describe('usableNativeFiles', () => {
  it('makes the library links that npm leaves out when it runs no scripts', () => {
    const native = copyInstalled(join(openFolder(), 'package'))
    removeLinks(native)
    expect(spawnSync(join(native, 'bin', 'initdb'), ['--version']).status).not.toBe(0)
    expect(linksComplete(native)).toBe(true)
    expect(spawnSync(join(native, 'bin', 'initdb'), ['--version']).status).toBe(0)
  })

  it('copies binaries that the user of the database cannot reach, once', () => {
    const folder = openFolder()
    const native = copyInstalled(join(folder, 'package'))
    onTestFinished(() => rmSync(relocatedFolder(native), { recursive: true, force: true }))
    chmodSync(folder, 0o700)
    const user = isRoot ? ensureSystemUser('postgres') : undefined
    const usable = usableNativeFiles(native, user)
    expect(dirname(dirname(usable.postgres)) === native).toBe(!isRoot)
    if (user) expect(isReachableBy(user, usable.postgres)).toBe(true)
    expect(spawnSync(usable.initdb, ['--version'], { ...user, cwd: '/' }).status).toBe(0)
    expect(usableNativeFiles(native, user)).toEqual(usable)
    expect(existsSync(usable.postgres)).toBe(true)
  })
})
