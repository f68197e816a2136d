import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { StartFailedError } from '../errors.ts'

export interface SystemUser {
  uid: number
  gid: number
}

/**
 * PostgreSQL refuses to run as root: it then runs as the owner of an existing database, else as the usual system user.
 * undefined means that we are an ordinary user and run it as ourselves.
 */
export function databaseUser(dataDir: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (found?.isDirectory() && found.uid !== 0) return { uid: found.uid, gid: found.gid }
  return ensureSystemUser('postgres')
}

export function ensureSystemUser(name: string): SystemUser {
  const existing = lookUp(name)
  if (existing) return existing
  for (const commands of waysToCreate(name)) {
    for (const [program, ...args] of commands) spawnSync(program, args, { stdio: 'ignore' })
    const created = lookUp(name)
    if (created) return created
  }
  throw new StartFailedError(
    `PostgreSQL does not run as root and the system user "${name}" could not be created: create it or start as an ordinary user.`,
  )
}

/** Whether the user may enter a folder or run a file, asked of the system as that user. */
export function isReachableBy(user: SystemUser, path: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...user, cwd: '/', stdio: 'ignore' }).status === 0
}

function lookUp(name: string): SystemUser | undefined {
  const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' })
  const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' })
  if (uid.status !== 0 || gid.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

function waysToCreate(name: string): [string, ...string[]][][] {
  return [
    [
      ['groupadd', '--system', name],
      ['useradd', '--system', '--gid', name, '--no-create-home', '--shell', '/bin/false', name],
    ],
    [
      ['addgroup', '-S', name],
      ['adduser', '-S', '-D', '-H', '-G', name, '-s', '/bin/false', name],
    ],
  ]
}
