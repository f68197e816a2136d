import { createHash } from 'node:crypto'
import type { EngineName } from '@tallystick/embedded'
import type { Database } from '../platform/db/database.ts'
import { currentVersion, migrate } from '../platform/db/migrate.ts'
import { BackupError } from './backup.rules.ts'
import * as store from './backup.store.ts'
import { readLines, writeLines } from './backup-file.ts'

const FORMAT = 'tallystick-backup'

interface Header {
  readonly format: string
  readonly schemaVersion: number
  readonly createdAt: string
}

/** What an embedded stack keeps outside the database. */
export interface EmbeddedFiles {
  /** The engine that made the chain: no other can go on with it. Backups from before there were two are of anvil. */
  readonly engine?: EngineName
  readonly chainState: string
  /** The demo's keys and addresses, when it was seeded. */
  readonly demo: string | null
}

type Line =
  | { table: string; rows: string[] }
  | { embedded: EmbeddedFiles }
  | { end: true; rows: number; sha256: string }

/**
 * One consistent picture of every table, as lines of JSON, gzipped; with the files of an embedded stack. The rows are read first:
 * a chain that is ahead of the record is caught up with, one that is behind would look like a reorganization.
 */
export async function writeBackup(
  database: Database,
  file: string,
  options: { readonly now: Date; readonly embedded: () => Promise<EmbeddedFiles | null> },
): Promise<{ rows: number; bytes: number }> {
  const schemaVersion = await store.readVersion(database)
  if (schemaVersion === 0) throw new BackupError('The database has no tables yet: there is nothing to back up')
  let rows = 0
  const bytes = await writeLines(file, async (writeLine) => {
    const digest = createHash('sha256')
    const write = (value: Header | Line) => {
      const line = `${JSON.stringify(value)}\n`
      digest.update(line)
      return writeLine(line)
    }
    await write({ format: FORMAT, schemaVersion, createdAt: options.now.toISOString() })
    await store.snapshot(database, async (table, batch) => {
      rows += batch.length
      await write({ table, rows: batch })
    })
    const embedded = await options.embedded()
    if (embedded !== null) await write({ embedded })
    await writeLine(`${JSON.stringify({ end: true, rows, sha256: digest.digest('hex') } satisfies Line)}\n`)
  })
  return { rows, bytes }
}

/** Reads a backup through once without writing anything: only a whole one may touch a database. */
export async function inspectBackup(
  file: string,
): Promise<{ schemaVersion: number; createdAt: string; rows: number; embedded: EmbeddedFiles | null }> {
  const digest = createHash('sha256')
  let header: Header | undefined
  let embedded: EmbeddedFiles | null = null
  let end: { rows: number; sha256: string } | undefined
  try {
    await readLines(file, (text) => {
      const line = JSON.parse(text) as Header | Line
      if ('format' in line) header = line
      if ('embedded' in line) embedded = line.embedded
      if ('end' in line) end = line
      else digest.update(`${text}\n`)
    })
  } catch (cause) {
    throw new BackupError(`${file} is not a whole backup: ${(cause as Error).message}`, { cause })
  }
  if (header?.format !== FORMAT) throw new BackupError(`${file} is not a backup of Tallystick`)
  if (!end || end.sha256 !== digest.digest('hex')) throw new BackupError(`${file} was cut short or changed`)
  return { schemaVersion: header.schemaVersion, createdAt: header.createdAt, rows: end.rows, embedded }
}

/** Puts a backup into an empty database: brings it to the backup's version, loads every row in one transaction, then goes on to today's. */
export async function restoreBackup(database: Database, databaseUrl: string, file: string): Promise<{ rows: number }> {
  const { schemaVersion, rows } = await inspectBackup(file)
  if (schemaVersion > currentVersion()) throw new BackupError(`${file} comes from a newer release`)
  const found = await store.readVersion(database)
  if (found !== 0 && found !== schemaVersion)
    throw new BackupError(
      `The database is at version ${found}, but the backup at ${schemaVersion}: restore into a database without tables`,
    )
  await migrate(databaseUrl, schemaVersion)
  await store.load(database, (insert) =>
    readLines(file, async (text) => {
      const line = JSON.parse(text) as Header | Line
      if ('table' in line) await insert(line.table, line.rows)
    }),
  )
  await migrate(databaseUrl)
  return { rows }
}
