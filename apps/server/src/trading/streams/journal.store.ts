import type { Sql } from '../../platform/db/database.ts'

export interface CommittedEntry {
  readonly number: number
  readonly body: string
  readonly hash: string
  /** A group of commands ends with it. Groups of long ago are not looked up. */
  readonly endsGroup: boolean
}

/** Groups that may have been committed since somebody last looked; of more than that the ends do not matter any more. */
const RECENT_GROUPS = 200

export const readCommitted = (sql: Sql, unitId: string, after: number, limit: number) => sql<CommittedEntry[]>`
  select j.number::int as number, j.body, j.hash, j.number in (
    select last_sequence from (
      select last_sequence from unit_groups where unit_id = ${unitId} order by version desc limit ${RECENT_GROUPS}) g) as "endsGroup"
  from tally_entries(${unitId}, ${after}, ${after + limit}) j order by j.number`

/** Entries with trades, or outcomes of trades, that an instance has a part in. Others may be among them: the text is only skimmed. */
export const readOwnTrades = (sql: Sql, unitId: string, instanceId: string, from: number, to: number) => sql<
  Omit<CommittedEntry, 'endsGroup'>[]
>`
  select number::int as number, body, hash from tally_entries(${unitId}, ${from - 1}, ${to})
  where strpos(body, '"kind":"trade') > 0 and strpos(body, ${instanceId}) > 0
  order by number`

/** How far the journal of a book's unit is, and how much of it was archived, for whoever can see the book. */
export const readReach = (sql: Sql, unitId: string) => sql<{ sequence: number; archived: number }[]>`
  select sequence::int, archived_sequence::int as archived from matching_units where unit_id = ${unitId}`
