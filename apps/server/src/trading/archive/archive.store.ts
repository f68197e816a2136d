import type { Sql } from '../../platform/db/database.ts'

/** Rows that are read at once. */
const BATCH = 2_000

export interface DueUnit {
  readonly unitId: string
  readonly archivedSequence: bigint
  readonly archivedHash: string | null
  /** The last commit that is old enough, and the last entry up to it. */
  readonly version: bigint
  readonly last: bigint
  readonly lastHash: string | null
  readonly groups: bigint
}

/**
 * Units with commits that are old enough, all before the first that is not. The newest commit of a unit stays, however old: a commit whose
 * answer was lost is looked for there.
 */
export const listDueUnits = (sql: Sql, olderThan: Date) => sql<DueUnit[]>`
  select u.unit_id as "unitId", u.archived_sequence as "archivedSequence", u.archived_hash as "archivedHash", c.version,
    c.last_sequence as last, (select j.hash from tally_entries(u.unit_id, c.last_sequence - 1, c.last_sequence) j) as "lastHash",
    (select count(*) from unit_groups n where n.unit_id = u.unit_id and n.version <= c.version) as groups
  from matching_units u cross join lateral (
    select g.version, g.last_sequence from unit_groups g
    where g.unit_id = u.unit_id and g.version < u.version and g.version < coalesce(
      (select y.version from unit_groups y where y.unit_id = u.unit_id and y.committed_at >= ${olderThan} order by y.version limit 1), u.version)
    order by g.version desc limit 1) c
  order by u.unit_id`

export interface DueRows {
  readonly id: string
  readonly before: bigint
  readonly after: bigint
}

/** Only what has become rows; the newest stays. */
export const listDueLanes = (sql: Sql, olderThan: Date) => sql<DueRows[]>`
  select p.lane_id as id, first.sequence - 1 as before, last.sequence as after
  from lane_projections p
    cross join lateral (select g.sequence from lane_groups g where g.lane_id = p.lane_id order by g.sequence limit 1) first
    cross join lateral (
      select g.sequence from lane_groups g
      where g.lane_id = p.lane_id and g.sequence < p.sequence and g.sequence < coalesce(
        (select y.sequence from lane_groups y where y.lane_id = p.lane_id and y.at >= ${olderThan} order by y.sequence limit 1), p.sequence)
      order by g.sequence desc limit 1) last
  order by 1`

/** The newest stays: the next one is numbered after it. */
export const listDueRfqs = (sql: Sql, olderThan: Date) => sql<DueRows[]>`
  select i.instance_id as id, first.number - 1 as before, last.number as after
  from instances i
    cross join lateral (select e.number from rfq_events e where e.instance_id = i.instance_id order by e.number limit 1) first
    cross join lateral (select max(e.number) as number from rfq_events e where e.instance_id = i.instance_id) newest
    cross join lateral (
      select e.number from rfq_events e
      where e.instance_id = i.instance_id and e.number < newest.number and e.number < coalesce(
        (select y.number from rfq_events y where y.instance_id = i.instance_id and y.created_at >= ${olderThan} order by y.number limit 1), newest.number)
      order by e.number desc limit 1) last
  order by 1`

interface JournalEntry {
  readonly number: number
  readonly body: string
  readonly hash: string
}

/** Piece by piece: some of them are rows, and others stand in the groups of a lane. */
export async function* readEntries(sql: Sql, unitId: string, before: number, last: number) {
  for (let after = before; after < last; after += BATCH)
    yield await sql<JournalEntry[]>`
      select number::int as number, body, hash from tally_entries(${unitId}, ${after}, ${Math.min(after + BATCH, last)}) order by number`
}

export const readGroups = (sql: Sql, unitId: string, version: bigint) =>
  sql<{ version: number; groupId: string; last: number; at: Date }[]>`
    select version::int as version, group_id as "groupId", last_sequence::int as last, committed_at as at from unit_groups
    where unit_id = ${unitId} and version <= ${version.toString()}::bigint order by version`.cursor(BATCH)

/** Rows travel as the text of their JSON, so no number is rounded on the way. */
export const readLaneGroups = (sql: Sql, laneId: string, last: number) =>
  sql<{ row: string }[]>`
    select to_jsonb(g)::text as row from lane_groups g where lane_id = ${laneId} and sequence <= ${last} order by sequence`.cursor(
    200,
  )

export const readRfqEvents = (sql: Sql, instanceId: string, last: number) =>
  sql<{ row: string }[]>`
    select to_jsonb(e)::text as row from rfq_events e where instance_id = ${instanceId} and number <= ${last} order by number`.cursor(
    BATCH,
  )

export interface ArchiveRow {
  readonly archiveId: string
  readonly file: string
  readonly sha256: string
  readonly olderThan: Date
}

export const insertArchive = (sql: Sql, archive: ArchiveRow, now: Date) => sql`
  insert into archives (archive_id, file, sha256, older_than, created_at)
  values (${archive.archiveId}, ${archive.file}, ${archive.sha256}, ${archive.olderThan}, ${now}) on conflict do nothing`

export interface PartRow {
  readonly kind: 'UNIT' | 'LANE' | 'RFQ'
  readonly subjectId: string
  readonly before: number
  readonly after: number
  readonly beforeHash: string | null
  readonly afterHash: string | null
  readonly rows: number
}

export const insertPart = (sql: Sql, archiveId: string, part: PartRow, now: Date) => sql`
  insert into archive_parts (archive_id, kind, subject_id, first_place, last_place, before_hash, after_hash, deleted_rows, deleted_at)
  values (${archiveId}, ${part.kind}, ${part.subjectId}, ${part.before + 1}, ${part.after}, ${part.beforeHash}, ${part.afterHash},
    ${part.rows}, ${now})`

/** Answers how many there were. Those in groups of a lane are no part of the journal any more once its floor was raised. */
export async function deleteEntries(sql: Sql, unitId: string, before: number, last: number): Promise<number> {
  const { count } = await sql`delete from unit_entries where unit_id = ${unitId} and sequence <= ${last}`
  const [grouped] = await sql<{ count: number }[]>`
    select coalesce(sum(last_entry - first_entry + 1), 0)::int as count from lane_groups
    where movements = '' and unit_id = ${unitId} and last_entry > ${before} and last_entry <= ${last}`
  return count + (grouped?.count ?? 0)
}
export const deleteGroups = (sql: Sql, unitId: string, version: bigint) => sql`
  delete from unit_groups where unit_id = ${unitId} and version <= ${version.toString()}::bigint`
/** Entries of theirs that the journals of their units still need become rows first. */
export async function deleteLaneGroups(sql: Sql, laneId: string, last: number): Promise<number> {
  await sql`
    insert into unit_entries (unit_id, sequence, entry, hash)
    select u.unit_id, j.number, j.body, j.hash
    from (
      select unit_id, min(first_entry) as first, max(last_entry) as last from lane_groups
      where lane_id = ${laneId} and sequence <= ${last} and movements = '' group by unit_id) u
    cross join lateral tally_entries(u.unit_id, u.first - 1, u.last) j on conflict do nothing`
  return (await sql`delete from lane_groups where lane_id = ${laneId} and sequence <= ${last}`).count
}
export const deleteRfqEvents = (sql: Sql, instanceId: string, last: number) => sql`
  delete from rfq_events where instance_id = ${instanceId} and number <= ${last}`

export const raiseUnitFloor = (sql: Sql, unitId: string, from: number, to: { number: number; hash: string }) => sql`
  update matching_units set archived_sequence = ${to.number}, archived_hash = ${to.number === 0 ? null : to.hash}
  where unit_id = ${unitId} and archived_sequence = ${from}`

export const raiseRfqFloor = (sql: Sql, instanceId: string, to: number) => sql`
  insert into rfq_archived (instance_id, number) values (${instanceId}, ${to})
  on conflict (instance_id) do update set number = excluded.number where rfq_archived.number < excluded.number`

/** A state at or behind an entry. */
export const findState = (sql: Sql, unitId: string, sequence: number) => sql<{ sequence: bigint }[]>`
  select sequence from unit_snapshots where unit_id = ${unitId} and sequence >= ${sequence} limit 1`

export const findArchive = (sql: Sql, sha256: string) => sql<{ archiveId: string; file: string; createdAt: Date }[]>`
  select archive_id as "archiveId", file, created_at as "createdAt" from archives where sha256 = ${sha256}`

export const listArchives = (sql: Sql) => sql<
  { file: string; sha256: string; olderThan: Date; createdAt: Date; parts: number; rows: bigint }[]
>`
  select a.file, a.sha256, a.older_than as "olderThan", a.created_at as "createdAt", count(p.subject_id)::int as parts,
    coalesce(sum(p.deleted_rows), 0)::bigint as rows
  from archives a left join archive_parts p using (archive_id) group by a.archive_id order by a.created_at, a.archive_id`

export const nextEntry = (sql: Sql, unitId: string, after: number) => sql<JournalEntry[]>`
  select number::int as number, body, hash from tally_entries(${unitId}, ${after}, ${after + 1})`

export const unitFloor = (sql: Sql, unitId: string) => sql<{ number: number; hash: string | null }[]>`
  select archived_sequence::int as number, archived_hash as hash from matching_units where unit_id = ${unitId}`
