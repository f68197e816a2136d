import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartFailedError } from '../errors.ts'
import { existingData } from './data-location.ts'
import { serverEnvironment } from './server-environment.ts'
import type { SystemUser } from './system-user.ts'

const majorVersion = '18'

export interface InitialisationOptions {
  initdb: string
  dataDir: string
  user: SystemUser | undefined
  durable: boolean
}

/** Refuses a folder that a start would refuse, before anything else is started beside it; makes nothing. */
export function requireUsableData(wantedDir: string): void {
  const dataDir = existingData(wantedDir)
  if (!isComplete(dataDir)) refuseForeign(dataDir)
}

/** Makes the database when there is none; returns the password of the superuser. */
export function ensureInitialised(options: InitialisationOptions): string {
  const { dataDir } = options
  removeUnfinished(dataDir)
  if (isComplete(dataDir)) return readPassword(dataDir)
  setAsideHalfMade(dataDir)
  const password = createPassword(dataDir, options.user)
  runInitdb(options)
  return password
}

function isComplete(dataDir: string): boolean {
  if (!existsSync(join(dataDir, 'PG_VERSION')) || !existsSync(join(dataDir, 'global', 'pg_control'))) return false
  const version = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim()
  if (version === majorVersion) return true
  throw new StartFailedError(
    `${dataDir} was made by PostgreSQL ${version}, this is ${majorVersion}: migrate it with pg_dump.`,
  )
}

const isEmpty = (dataDir: string): boolean => !existsSync(dataDir) || readdirSync(dataDir).length === 0

function refuseForeign(dataDir: string): void {
  if (isEmpty(dataDir) || existsSync(join(dataDir, 'PG_VERSION'))) return
  throw new StartFailedError(`${dataDir} holds files that are not a PostgreSQL database: choose another folder.`)
}

/** We rename only finished folders into place, so a half-made one came from elsewhere: kept, never deleted. */
function setAsideHalfMade(dataDir: string): void {
  if (isEmpty(dataDir)) return
  refuseForeign(dataDir)
  renameSync(dataDir, `${dataDir}.incomplete-${Date.now()}`)
}

function runInitdb({ initdb, dataDir, user, durable }: InitialisationOptions): void {
  const unfinished = mkdtempSync(unfinishedPrefix(dataDir))
  if (user) chownSync(unfinished, user.uid, user.gid)
  const args = ['--pgdata', unfinished, '--username', 'postgres', '--pwfile', passwordFile(dataDir)]
  args.push('--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale-provider', 'libc', '--locale', 'C')
  args.push('--no-instructions', ...(durable ? [] : ['--no-sync']))
  const run = spawnSync(initdb, args, { ...user, cwd: unfinished, env: serverEnvironment(), encoding: 'utf8' })
  if (run.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    const reason = run.error?.message ?? `${run.stdout}${run.stderr}`.trim().split('\n').slice(-6).join('\n')
    throw new StartFailedError(`PostgreSQL could not initialise ${dataDir}: ${reason}`)
  }
  renameSync(unfinished, dataDir)
}

function removeUnfinished(dataDir: string): void {
  const prefix = basename(unfinishedPrefix(dataDir))
  for (const name of readdirSync(dirname(dataDir))) {
    if (name.startsWith(prefix)) rmSync(join(dirname(dataDir), name), { recursive: true, force: true })
  }
}

function createPassword(dataDir: string, user: SystemUser | undefined): string {
  const password = randomBytes(24).toString('hex')
  mkdirSync(dirname(dataDir), { recursive: true })
  rmSync(passwordFile(dataDir), { force: true })
  writeFileSync(passwordFile(dataDir), `${password}\n`, { mode: 0o600 })
  if (user) chownSync(passwordFile(dataDir), user.uid, user.gid)
  return password
}

function readPassword(dataDir: string): string {
  try {
    return readFileSync(passwordFile(dataDir), 'utf8').trim()
  } catch {
    throw new StartFailedError(`The password file ${passwordFile(dataDir)} of the database cannot be read: restore it.`)
  }
}

function passwordFile(dataDir: string): string {
  return `${dataDir}.password`
}

function unfinishedPrefix(dataDir: string): string {
  return `${dataDir}.initialising-`
}
