import type { QuoteRecord, RfqWithoutQuotesRecord } from '@tallystick/wire'
import type { Sql } from '../../platform/db/database.ts'

export interface NewNotice {
  readonly rfqId: string
  readonly quoteId: string | null
  readonly status: string
  readonly record: RfqWithoutQuotesRecord | QuoteRecord
}

export interface NoticeRow {
  readonly number: bigint
  readonly rfqId: string
  readonly quoteId: string | null
  readonly status: string
  /** JSON text. */
  readonly record: string
  readonly createdAt: Date
}

/** The last thing a transaction does: the lock is held until the commit, so numbers show up in their order. */
export async function appendNotices(
  sql: Sql,
  instanceId: string,
  notices: readonly NewNotice[],
  at: Date,
): Promise<void> {
  if (notices.length === 0) return
  const rows = notices.map((notice, index) => ({
    ...notice,
    record: JSON.stringify(notice.record),
    place: index + 1,
  }))
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rfq events ${instanceId}`}, 0))`
  await sql`
    insert into rfq_events (instance_id, number, rfq_id, quote_id, status, record, created_at)
    select ${instanceId}::uuid, (select coalesce(max(number), 0) from rfq_events where instance_id = ${instanceId}) + n.place, n."rfqId",
      n."quoteId", n.status, n.record, ${at}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as n("rfqId" uuid, "quoteId" uuid, status text, record text, place bigint)`
}

export const readNotices = (sql: Sql, instanceId: string, after: bigint, most: number) => sql<NoticeRow[]>`
  select number, rfq_id as "rfqId", quote_id as "quoteId", status, record, created_at as "createdAt" from rfq_events
  where instance_id = ${instanceId} and number > ${after.toString()}::bigint order by number limit ${most}`

/** The last one, and the last of those that were archived; 0: none. */
export const newestNotice = (sql: Sql, instanceId: string) => sql<{ number: bigint; archived: bigint }[]>`
  select coalesce(max(number), 0)::bigint as number,
    coalesce((select a.number from rfq_archived a where a.instance_id = ${instanceId}), 0)::bigint as archived
  from rfq_events where instance_id = ${instanceId}`
