import { createHash } from 'node:crypto'
import type { RegisterFile } from '@tallystick/wire'
import type { Clock } from '../platform/clock.ts'
import { type Act, recordActOfOperator } from '../platform/db/audit.ts'
import { actAs, type Database, type Sql } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Random } from '../platform/random.ts'
import { compareEntities } from './changes.rules.ts'
import * as store from './import.store.ts'
import { fileNamedBy } from './layouts.rules.ts'
import { mergeEntities, openIdentifiers } from './merge.rules.ts'
import { type Malformed, READING, type ReadFile, RefusedFileError, readFile } from './read-file.rules.ts'
import { type Loaded, type LoadOptions, loadSource } from './sources.ts'

/** A file may lose this many of a hundred rows from one import to the next; more is taken for a broken download. */
const SMALLEST_SHARE = 0.8
const SHOWN_MALFORMED = 100

export interface ImportReport {
  readonly source: string
  readonly file: RegisterFile | null
  readonly outcome: 'imported' | 'unchanged' | 'refused'
  readonly reason?: string
  readonly importNumber?: number
  readonly rows?: number
  readonly entities?: number
  readonly malformedRows?: number
  readonly malformed?: readonly Malformed[]
  readonly added?: number
  readonly changed?: number
  readonly removed?: number
}

export interface ImportOptions {
  /** The operator knows that the file shrank for a good reason. */
  readonly acceptShrink?: boolean
  /** Somebody asked for it at the command line: it is an administrative act then, and no routine. */
  readonly byOperator?: boolean
}

type Wanted = { readonly source: string; readonly bytes: Uint8Array; readonly date: Date | null }

function requireEnough(read: ReadFile, last: store.LastImport | undefined, { acceptShrink }: ImportOptions): void {
  if (acceptShrink || !last || read.rows >= last.rows * SMALLEST_SHARE) return
  throw new RefusedFileError(
    `it has ${read.rows} rows where the last import had ${last.rows}: more than a fifth is gone`,
  )
}

function importAct({ file, importNumber, rows, added, changed, removed }: ImportReport, last?: store.LastImport): Act {
  const figures = { importNumber, rows, added, changed, removed }
  return {
    subject: String(file),
    before: last ? { rows: last.rows } : null,
    after: Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figure ?? null])),
  }
}

/** Brings files into the register: each whole, in one transaction with the changes it makes, or not at all. */
export function createRegisterImport({
  database,
  clock,
  random,
}: {
  database: Database
  clock: Clock
  random: Random
}) {
  const asRegister = <T>(work: (sql: Sql) => Promise<T>) => database.as('tally_register', work)

  async function apply(
    sql: Sql,
    wanted: Wanted,
    read: ReadFile,
    { sha256, last }: { sha256: string; last: store.LastImport | undefined },
  ): Promise<ImportReport> {
    const importedAt = clock.now()
    const owners = await store.readOwners(sql, openIdentifiers(read.statements), read.file)
    const entities = mergeEntities(read.statements, owners)
    const changes = compareEntities(await store.readEntities(sql, read.file), entities)
    const idsOf = (...kinds: string[]) =>
      changes.filter(({ kind }) => kinds.includes(kind)).map(({ entity }) => entity.id)
    const touched = new Set(idsOf('added', 'changed'))
    const removed = idsOf('removed')
    // What an older release wrote says the same, but is found differently.
    const isOutdated = last !== undefined && last.reading !== READING
    const importNumber = await store.nextImportNumber(sql)
    const malformed = read.malformed.slice(0, SHOWN_MALFORMED)
    const figures = {
      rows: read.rows,
      entities: entities.length,
      malformedRows: read.malformed.length,
      malformed,
      added: idsOf('added').length,
      changed: idsOf('changed').length,
      removed: removed.length,
    }
    const row = {
      importNumber,
      file: read.file,
      source: wanted.source,
      sourceDate: wanted.date,
      sha256,
      reading: READING,
      importedAt,
    }
    await store.insertImport(sql, { ...row, ...figures })
    await store.writeEntities(
      sql,
      entities.filter(({ id }) => isOutdated || touched.has(id)),
      importedAt,
      touched,
    )
    await store.removeEntities(sql, removed)
    await store.drawSample(sql)
    await store.insertChanges(sql, row, changes)
    return {
      source: wanted.source,
      file: read.file,
      outcome: 'imported',
      importNumber: Number(importNumber),
      ...figures,
    }
  }

  async function audit(sql: Sql, act: Act): Promise<void> {
    await actAs(sql, 'tally_operator')
    await recordActOfOperator(sql, { operation: 'importRegister', instanceId: null }, act)
  }

  async function bringIn(wanted: Wanted, options: ImportOptions): Promise<ImportReport> {
    const named = fileNamedBy(wanted.source)
    const sha256 = createHash('sha256').update(wanted.bytes).digest('hex')
    const read = readFile(wanted.bytes)
    if (named !== null && named !== read.file)
      throw new RefusedFileError(`it is called ${named}, but its header is that of ${read.file}`)
    const report = await asRegister(async (sql): Promise<ImportReport> => {
      await store.lockRegister(sql)
      const last = await store.readLastImport(sql, read.file)
      if (last?.sha256 === sha256 && last.reading === READING)
        return { source: wanted.source, file: read.file, outcome: 'unchanged' }
      requireEnough(read, last, options)
      const applied = await apply(sql, wanted, read, { sha256, last })
      if (options.byOperator) await audit(sql, importAct(applied, last))
      return applied
    })
    // Only the owner of an index may tidy it up; left alone, it is done a little later by the database itself.
    if (report.outcome === 'imported') await store.tidyIndex(database).catch(() => undefined)
    return report
  }

  async function refused(source: string, error: unknown): Promise<ImportReport> {
    if (!(error instanceof RefusedFileError)) throw error
    const file = fileNamedBy(source)
    const failure = { failureId: newId(clock, random), file, source, reason: error.message, failedAt: clock.now() }
    await asRegister((sql) => store.insertFailure(sql, failure))
    return { source, file, outcome: 'refused', reason: error.message }
  }

  return {
    wasFilled: () => asRegister(async (sql) => (await store.findAnyImport(sql)).length > 0),

    /** Imports what was loaded; a refused file is on record and leaves everything as it was. */
    importBytes: (source: string, { bytes, date }: Pick<Loaded, 'bytes' | 'date'>, options: ImportOptions = {}) =>
      bringIn({ source, bytes, date }, options).catch((error: unknown) => refused(source, error)),

    /** Loads and imports; the second part of the answer is what the next look may ask with. */
    async importSource(
      source: string,
      load: LoadOptions,
      options: ImportOptions = {},
    ): Promise<{ report: ImportReport; validators: store.Validators | null }> {
      const nothing = { etag: null, lastModified: null }
      try {
        const loaded = await loadSource(source, load)
        if (loaded === 'unchanged')
          return { report: { source, file: fileNamedBy(source), outcome: 'unchanged' }, validators: null }
        const report = await bringIn({ source, ...loaded }, options)
        return { report, validators: { etag: loaded.etag, lastModified: loaded.lastModified } }
      } catch (error) {
        return { report: await refused(source, error), validators: nothing }
      }
    },
  }
}
