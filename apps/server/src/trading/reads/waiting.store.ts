import type { Sql } from '../../platform/db/database.ts'

export interface WaitingRow {
  readonly kind: 'SETTLEMENT_WAITING' | 'RFQ_OPEN'
  readonly id: string
  readonly bookId: string
  readonly label: string
  readonly requester: string | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

/** Settlements that somebody has to sign, and requests that can still be quoted or accepted, oldest first. */
export const listWaiting = (sql: Sql, instanceId: string, limit: number) => sql<WaitingRow[]>`
  select 'SETTLEMENT_WAITING' as kind, s.settlement_id as id, s.book_id as "bookId", b.symbol as label, null as requester,
    s.created_at as "createdAt", null::timestamptz as "expiresAt"
  from settlements s join order_books b on b.book_id = s.book_id where b.instance_id = ${instanceId} and s.status = 'PENDING'
  union all
  select 'RFQ_OPEN', r.rfq_id, r.book_id, b.symbol, r.requester, r.created_at, r.expires_at
  from rfqs r join order_books b on b.book_id = r.book_id
  where r.instance_id = ${instanceId} and r.status in ('PENDING', 'QUOTED') and r.expires_at > clock_timestamp()
  order by "createdAt", id limit ${limit}`
