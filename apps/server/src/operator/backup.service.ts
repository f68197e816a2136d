import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Database } from '../platform/db/database.ts'
import { currentVersion, migrate } from '../platform/db/migrate.ts'
import * as store from './backup.store.ts'

const FORMAT = 'tallystick-backup'

/** A backup that cannot be trusted: cut short, changed, or of another kind. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

interface Header {
  readonly format: string
  readonly schemaVersion: number
  readonly createdAt: string
}
type Line = { table: string; rows: string[] } | { chainState: string } | { end: true; rows: number; sha256: string }

/**
 * One consistent picture of every table, as lines of JSON, gzipped; with the state of an embedded chain. The rows are read first:
 * a chain that is ahead of the record is caught up with, one that is behind would look like a reorganization.
 */
export async function writeBackup(
  database: Database,
  file: string,
  options: { readonly now: Date; readonly chainState: () => Promise<string | null> },
): Promise<{ rows: number; bytes: number }> {
  const gzip = createGzip()
  const target = createWriteStream(file, { mode: 0o600, flags: 'wx' })
  gzip.pipe(target)
  const digest = createHash('sha256')
  const write = async (value: unknown) => {
    const line = `${JSON.stringify(value)}\n`
    digest.update(line)
    if (!gzip.write(line)) await once(gzip, 'drain')
  }
  let rows = 0
  await write({
    format: FORMAT,
    schemaVersion: currentVersion(),
    createdAt: options.now.toISOString(),
  } satisfies Header)
  await store.snapshot(database, async (table, batch) => {
    rows += batch.length
    await write({ table, rows: batch } satisfies Line)
  })
  const chainState = await options.chainState()
  if (chainState !== null) await write({ chainState } satisfies Line)
  gzip.end(`${JSON.stringify({ end: true, rows, sha256: digest.digest('hex') } satisfies Line)}\n`)
  await finished(target)
  return { rows, bytes: target.bytesWritten }
}

/** Reads a backup through once without writing anything: only a whole one may touch a database. */
export async function inspectBackup(
  file: string,
): Promise<{ schemaVersion: number; createdAt: string; rows: number; chainState: string | null }> {
  const digest = createHash('sha256')
  let header: Header | undefined
  let chainState: string | null = null
  let end: { rows: number; sha256: string } | undefined
  try {
    for await (const text of createInterface({
      input: createReadStream(file).pipe(createGunzip()),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const line = JSON.parse(text) as Header | Line
      if ('format' in line) header = line
      if ('chainState' in line) chainState = line.chainState
      if ('end' in line) end = line
      else digest.update(`${text}\n`)
    }
  } catch (cause) {
    throw new BackupError(`${file} is not a whole backup: ${(cause as Error).message}`, { cause })
  }
  if (header?.format !== FORMAT) throw new BackupError(`${file} is not a backup of Tallystick`)
  if (!end || end.sha256 !== digest.digest('hex')) throw new BackupError(`${file} was cut short or changed`)
  return { schemaVersion: header.schemaVersion, createdAt: header.createdAt, rows: end.rows, chainState }
}

/** Puts a backup into an empty database: brings it to the backup's version, loads every row in one transaction, then goes on to today's. */
export async function restoreBackup(database: Database, databaseUrl: string, file: string): Promise<{ rows: number }> {
  const { schemaVersion, rows } = await inspectBackup(file)
  if (schemaVersion > currentVersion()) throw new BackupError(`${file} comes from a newer release`)
  await migrate(databaseUrl, schemaVersion)
  await store.load(database, async (insert) => {
    for await (const text of createInterface({
      input: createReadStream(file).pipe(createGunzip()),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const line = JSON.parse(text) as Header | Line
      if ('table' in line) await insert(line.table, line.rows)
    }
  })
  await migrate(databaseUrl)
  return { rows }
}
