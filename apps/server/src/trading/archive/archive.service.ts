import { createHash } from 'node:crypto'
import { access, open, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { emptyHead, verifyEntries } from '@tallystick/engine'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Sql } from '../../platform/db/database.ts'
import { UnwritableFileError, writeGzipLines } from '../../platform/gzip-lines.ts'
import { newId } from '../../platform/ids.ts'
import type { Random } from '../../platform/random.ts'
import { keepRecoverable } from '../unit/index.ts'
import {
  ArchiveError,
  type EntryLine,
  FORMAT,
  FORMAT_VERSION,
  type GroupLine,
  type Header,
  type NumberedPart,
  type Parts,
  reasonOf,
  type UnitPart,
  type VerifiedArchive,
} from './archive.rules.ts'
import * as store from './archive.store.ts'
import { verifyArchive } from './verify-archive.ts'

interface ArchiveParts {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
}

/** A commit whose answer was lost, or a stream that lags, looks back for seconds; nothing younger than this is ever touched. */
export const LEAST_AGE_MS = 86_400_000

interface PlannedUnit extends UnitPart {
  readonly version: bigint
}

interface Plan extends Parts {
  readonly units: readonly PlannedUnit[]
}

const numbered = ({ id, before, after }: store.DueRows): NumberedPart => ({
  id,
  before: Number(before),
  after: Number(after),
})

function plannedUnit({
  unitId,
  archivedSequence,
  archivedHash,
  version,
  last,
  lastHash,
  groups,
}: store.DueUnit): PlannedUnit {
  const before = archivedHash === null ? emptyHead(unitId) : { number: Number(archivedSequence), hash: archivedHash }
  const after = { number: Number(last), hash: lastHash ?? before.hash }
  return { unitId, before, after, entries: after.number - before.number, groups: Number(groups), version }
}

async function planOf(sql: Sql, olderThan: Date): Promise<Plan> {
  return {
    units: (await store.listDueUnits(sql, olderThan)).map(plannedUnit),
    lanes: (await store.listDueLanes(sql, olderThan)).map(numbered),
    rfqs: (await store.listDueRfqs(sql, olderThan)).map(numbered),
  }
}

const isEmpty = ({ units, lanes, rfqs }: Plan): boolean => units.length + lanes.length + rfqs.length === 0

/** Until this is on the disk, a name in a folder may be gone after the power failed. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Old rows of the journals go into files, and nothing is deleted that was not read back from one. */
export function createArchives({ database, clock, random }: ArchiveParts) {
  async function writeRows(sql: Sql, plan: Plan, write: (text: string) => Promise<void>): Promise<void> {
    for (const { version, ...unit } of plan.units) {
      await write(JSON.stringify({ unit }))
      for await (const page of store.readEntries(sql, unit.unitId, unit.before.number, unit.after.number))
        for (const { number, body, hash } of page)
          await write(JSON.stringify({ entry: [number, body, hash] satisfies EntryLine }))
      for await (const page of store.readGroups(sql, unit.unitId, version))
        for (const { version: of, groupId, last, at } of page)
          await write(JSON.stringify({ group: [of, groupId, last, at.toISOString()] satisfies GroupLine }))
    }
    for (const lane of plan.lanes) {
      await write(JSON.stringify({ lane }))
      for await (const page of store.readLaneGroups(sql, lane.id, lane.after))
        for (const { row } of page) await write(`{"laneGroup":${row}}`)
    }
    for (const rfqs of plan.rfqs) {
      await write(JSON.stringify({ rfqs }))
      for await (const page of store.readRfqEvents(sql, rfqs.id, rfqs.after))
        for (const { row } of page) await write(`{"rfqEvent":${row}}`)
    }
  }

  /** Under a name of its own until it is whole. */
  async function writeFile(folder: string, name: string, olderThan: Date): Promise<Plan> {
    const file = join(folder, name)
    const isTaken = await access(file).then(
      () => true,
      () => false,
    )
    if (isTaken) throw new ArchiveError(`${file} cannot be written: there is a file of that name already`)
    let plan: Plan | undefined
    try {
      await writeGzipLines(`${file}.partial`, async (writeLine) => {
        const digest = createHash('sha256')
        let lines = 0
        const write = (text: string) => {
          const line = `${text}\n`
          digest.update(line)
          lines += 1
          return writeLine(line)
        }
        await database.as(
          'tally_operator',
          async (sql) => {
            plan = await planOf(sql, olderThan)
            const createdAt = clock.now().toISOString()
            const header = { format: FORMAT, version: FORMAT_VERSION, createdAt, olderThan: olderThan.toISOString() }
            await write(JSON.stringify(header satisfies Header))
            await writeRows(sql, plan, write)
          },
          'repeatable read',
        )
        await writeLine(`${JSON.stringify({ end: true, lines, sha256: digest.digest('hex') })}\n`)
      })
    } catch (error) {
      if (error instanceof UnwritableFileError) throw new ArchiveError(error.message, { cause: error })
      throw error
    }
    await rename(`${file}.partial`, file)
    await flushFolder(folder)
    if (!plan) throw new Error('an archive was written without a plan')
    return plan
  }

  /** What was read back is what is about to be deleted, part by part. */
  function requireSame(plan: Plan, { units, lanes, rfqs }: VerifiedArchive): void {
    const planned = { units: plan.units.map(({ version, ...unit }) => unit), lanes: plan.lanes, rfqs: plan.rfqs }
    if (JSON.stringify(planned) !== JSON.stringify({ units, lanes, rfqs }))
      throw new ArchiveError('the archive holds other rows than it was written for; nothing was deleted')
  }

  function expectRows(what: string, got: number, wanted: number): void {
    if (got !== wanted)
      throw new ArchiveError(
        `${what}: ${got} rows instead of ${wanted}; somebody else archived them. Nothing of it was deleted here`,
      )
  }

  /** Each part in a transaction of its own, with the record of it: what was deleted is always known to be, and where it is. */
  async function deleteRows(plan: Plan, archive: store.ArchiveRow): Promise<number> {
    let deleted = 0
    const part = async (row: Omit<store.PartRow, 'rows'>, remove: (sql: Sql) => Promise<number>) => {
      deleted += await database.as('tally_operator', async (sql) => {
        const rows = await remove(sql)
        await store.insertArchive(sql, archive, clock.now())
        await store.insertPart(sql, archive.archiveId, { ...row, rows }, clock.now())
        return rows
      })
    }
    for (const { unitId, before, after, entries, groups, version } of plan.units)
      await part(
        {
          ...{ kind: 'UNIT', subjectId: unitId, before: before.number, after: after.number },
          ...{ beforeHash: before.hash, afterHash: after.hash },
        },
        async (sql) => {
          // First: whoever else archives this unit waits here, and then finds that it moved.
          const moved = await store.raiseUnitFloor(sql, unitId, before.number, after)
          expectRows(`unit ${unitId}`, moved.count, 1)
          const [state] = await store.findState(sql, unitId, after.number)
          if (!state)
            throw new ArchiveError(
              `unit ${unitId} could not be recovered without these entries; nothing of it was deleted`,
            )
          const found = await store.deleteEntries(sql, unitId, before.number, after.number)
          expectRows(`entries of unit ${unitId}`, found, entries)
          expectRows(`commits of unit ${unitId}`, (await store.deleteGroups(sql, unitId, version)).count, groups)
          return entries + groups
        },
      )
    for (const { id, before, after } of plan.lanes)
      await part({ kind: 'LANE', subjectId: id, before, after, beforeHash: null, afterHash: null }, async (sql) => {
        expectRows(`commits of lane ${id}`, await store.deleteLaneGroups(sql, id, after), after - before)
        return after - before
      })
    for (const { id, before, after } of plan.rfqs)
      await part({ kind: 'RFQ', subjectId: id, before, after, beforeHash: null, afterHash: null }, async (sql) => {
        expectRows(`requests for quote of ${id}`, (await store.raiseRfqFloor(sql, id, after)).count, 1)
        expectRows(`requests for quote of ${id}`, (await store.deleteRfqEvents(sql, id, after)).count, after - before)
        return after - before
      })
    return deleted
  }

  return {
    /**
     * Writes what is older into a new file of the folder, reads it back from the disk, and only then deletes it. Stopped in between, nothing is
     * lost: the rows are there, and the next run writes them again. Null: nothing is old enough.
     */
    async write(folder: string, olderThan: Date) {
      if (clock.now().getTime() - olderThan.getTime() < LEAST_AGE_MS)
        throw new ArchiveError('Nothing younger than a day is archived.')
      const due = await database.as('tally_operator', (sql) => planOf(sql, olderThan))
      if (isEmpty(due)) return null
      for (const { unitId, after } of due.units) await keepRecoverable(database, unitId, after.number, clock.now())
      const name = `tally-${clock.now().toISOString().replace(/[:.]/g, '-')}.archive.gz`
      const plan = await writeFile(folder, name, olderThan)
      const file = join(folder, name)
      const read = await verifyArchive(file)
      requireSame(plan, read)
      const archive = { archiveId: newId(clock, random), file: name, sha256: read.sha256, olderThan }
      const rows = await deleteRows(plan, archive)
      const { units, lanes, rfqs } = plan
      return {
        ...{ file, sha256: read.sha256, olderThan: olderThan.toISOString(), rows },
        ...{ units: units.length, lanes: lanes.length, instances: rfqs.length },
      }
    },

    /** An archive beside the database that it came from: that it is the one on record, and that the journals go on where it ends. */
    async compare(file: string): Promise<{ archive: VerifiedArchive; isRecorded: boolean }> {
      const archive = await verifyArchive(file)
      return database.as('tally_operator', async (sql) => {
        const [record] = await store.findArchive(sql, archive.sha256)
        for (const { unitId, after } of archive.units) {
          const [floor] = await store.unitFloor(sql, unitId)
          if (!floor) throw new ArchiveError(`${basename(file)}: there is no unit ${unitId} here`)
          // A later archive begins where this one ends; only the last one meets the rows.
          if (floor.number !== after.number) continue
          const [next] = await store.nextEntry(sql, unitId, after.number)
          try {
            if (next) verifyEntries(after, [next])
          } catch (cause) {
            throw new ArchiveError(
              `${basename(file)}: the journal of unit ${unitId} does not go on from it: ${reasonOf(cause)}`,
              { cause },
            )
          }
        }
        return { archive, isRecorded: record !== undefined }
      })
    },

    list: () => database.as('tally_operator', (sql) => store.listArchives(sql)),
  }
}

export type Archives = ReturnType<typeof createArchives>
