import type { Sql } from '../../platform/db/database.ts'

export interface CommittedEntry {
  readonly number: number
  readonly body: string
  readonly hash: string
  /** A group of commands ends with it. Groups of long ago are not looked up. */
  readonly endsGroup: boolean
}

/** Also of groups that are no rows yet. */
export const readCommitted = (sql: Sql, unitId: string, after: number, limit: number) => sql<CommittedEntry[]>`
  select number::int as number, body, hash, ends_group as "endsGroup"
  from tally_committed(${unitId}, ${after}, ${after + limit}) order by number`

/** Entries with trades, or outcomes of trades, that an instance has a part in. Others may be among them: the text is only skimmed. */
export const readOwnTrades = (sql: Sql, unitId: string, instanceId: string, from: number, to: number) => sql<
  Omit<CommittedEntry, 'endsGroup'>[]
>`
  select number::int as number, body, hash from tally_committed(${unitId}, ${from - 1}, ${to})
  where strpos(body, '"kind":"trade') > 0 and strpos(body, ${instanceId}) > 0
  order by number`

/** How far the journal of a unit is, and how much of it was archived. */
export const readReach = (sql: Sql, unitId: string) => sql<{ sequence: number; archived: number }[]>`
  select greatest(u.sequence, (select max(g.last_entry) from lane_groups g
    where g.unit_id = u.unit_id and g.movements = '' and g.last_entry > u.sequence))::int as sequence, u.archived_sequence::int as archived
  from matching_units u where u.unit_id = ${unitId}`
