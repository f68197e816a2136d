import type { QuoteRecord, RfqRecord } from '@tallystick/wire'
import type { Sql } from '../../platform/db/database.ts'

export interface RfqRow {
  readonly rfqId: string
  readonly instanceId: string
  readonly bookId: string
  readonly requester: string
  readonly baseToken: string
  readonly quoteToken: string
  readonly chainId: bigint
  readonly custodyContract: string
  readonly side: RfqRecord['side']
  readonly baseAmount: bigint
  readonly status: RfqRecord['status']
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface QuoteRow {
  readonly quoteId: string
  readonly number: number
  readonly provider: string
  readonly accountId: string
  readonly price: bigint
  readonly validUntil: Date
  readonly lockId: string
  readonly lockToken: string
  readonly lockAmount: bigint
  readonly status: QuoteRecord['status']
  readonly createdAt: Date
  readonly updatedAt: Date
}

type Absent<T> = { readonly [K in keyof T]: null }
type Prefixed<T> = { readonly [K in keyof T & string as `quote.${K}`]: T[K] }

/** A request beside one of its quotes, or beside none; and when it was read, by the clock of the database. */
export type JoinedRow = RfqRow & { readonly readAt: Date } & (Prefixed<QuoteRow> | Absent<Prefixed<QuoteRow>>)

const rfqColumns = (sql: Sql) => sql`
  r.rfq_id as "rfqId", r.instance_id as "instanceId", r.book_id as "bookId", r.requester, r.base_token as "baseToken",
  r.quote_token as "quoteToken", r.chain_id as "chainId", r.custody_contract as "custodyContract", r.side, r.base_amount as "baseAmount",
  r.status, r.expires_at as "expiresAt", r.created_at as "createdAt", r.updated_at as "updatedAt"`

const quoteColumns = (sql: Sql) => sql`
  q.quote_id as "quote.quoteId", q.number as "quote.number", q.provider as "quote.provider", q.account_id as "quote.accountId",
  q.price as "quote.price", q.valid_until as "quote.validUntil", q.lock_id as "quote.lockId", q.lock_token as "quote.lockToken",
  q.lock_amount as "quote.lockAmount", q.status as "quote.status", q.created_at as "quote.createdAt", q.updated_at as "quote.updatedAt"`

export const readRfq = (sql: Sql, instanceId: string, rfqId: string) => sql<JoinedRow[]>`
  select ${rfqColumns(sql)}, (select clock_timestamp()) as "readAt", ${quoteColumns(sql)}
  from rfqs r left join rfq_quotes q on q.rfq_id = r.rfq_id
  where r.instance_id = ${instanceId} and r.rfq_id = ${rfqId} order by q.number`

/** Before every write. What is read after it, and the clock, are newer than every other write. */
export const lockRfq = (sql: Sql, instanceId: string, rfqId: string) => sql<{ rfqId: string }[]>`
  select rfq_id as "rfqId" from rfqs where instance_id = ${instanceId} and rfq_id = ${rfqId} for update`

/** What time has made of it, whether or not somebody wrote it down. */
const statusNow = (sql: Sql) => sql`
  case when r.status not in ('PENDING', 'QUOTED') then r.status
    when r.expires_at <= clock_timestamp() then 'EXPIRED'
    when exists (select from rfq_quotes a where a.rfq_id = r.rfq_id and a.status = 'ACTIVE' and a.valid_until > clock_timestamp()) then 'QUOTED'
    else 'PENDING' end`

export interface RfqFilter {
  readonly status: string | null
}

export const listRfqs = (
  sql: Sql,
  instanceId: string,
  { status }: RfqFilter,
  page: { limit: number; offset: number },
) => sql<JoinedRow[]>`
  select ${rfqColumns(sql)}, (select clock_timestamp()) as "readAt", ${quoteColumns(sql)}
  from (select * from rfqs r where r.instance_id = ${instanceId} and (${status}::text is null or ${statusNow(sql)} = ${status})
    order by r.created_at desc, r.rfq_id desc limit ${page.limit} offset ${page.offset}) r
    left join rfq_quotes q on q.rfq_id = r.rfq_id
  order by r.created_at desc, r.rfq_id desc, q.number`

export const countRfqs = (sql: Sql, instanceId: string, { status }: RfqFilter) => sql<{ total: number }[]>`
  select count(*)::int as total from rfqs r where r.instance_id = ${instanceId} and (${status}::text is null or ${statusNow(sql)} = ${status})`

export const readClock = (sql: Sql) => sql<{ now: Date }[]>`select clock_timestamp() as now`

export const insertRfq = (sql: Sql, row: RfqRow) => sql`
  insert into rfqs (instance_id, rfq_id, book_id, requester, base_token, quote_token, chain_id, custody_contract, side, base_amount, status,
    expires_at, created_at, updated_at)
  values (${row.instanceId}, ${row.rfqId}, ${row.bookId}, ${row.requester}, ${row.baseToken}, ${row.quoteToken},
    ${row.chainId.toString()}, ${row.custodyContract}, ${row.side}, ${row.baseAmount.toString()}, ${row.status}, ${row.expiresAt},
    ${row.createdAt}, ${row.updatedAt})`

export const updateRfq = (sql: Sql, { instanceId, rfqId, status, updatedAt }: RfqRow) => sql`
  update rfqs set status = ${status}, updated_at = ${updatedAt} where instance_id = ${instanceId} and rfq_id = ${rfqId}`

export const updateQuote = (sql: Sql, instanceId: string, { quoteId, status, updatedAt }: QuoteRow) => sql`
  update rfq_quotes set status = ${status}, updated_at = ${updatedAt} where instance_id = ${instanceId} and quote_id = ${quoteId}`

export const insertQuote = (sql: Sql, { instanceId, rfqId }: RfqRow, quote: QuoteRow) => sql`
  insert into rfq_quotes (instance_id, quote_id, rfq_id, number, provider, account_id, price, valid_until, lock_id, lock_token, lock_amount,
    status, created_at, updated_at)
  values (${instanceId}, ${quote.quoteId}, ${rfqId}, ${quote.number}, ${quote.provider}, ${quote.accountId}, ${quote.price.toString()},
    ${quote.validUntil}, ${quote.lockId}, ${quote.lockToken}, ${quote.lockAmount.toString()}, ${quote.status}, ${quote.createdAt},
    ${quote.updatedAt})`

/** Requests in which a deadline has passed that nobody wrote down. Across instances: as the operator. */
export const findDue = (sql: Sql, most: number) => sql<{ instanceId: string; rfqId: string }[]>`
  select instance_id as "instanceId", rfq_id as "rfqId" from rfqs
  where status in ('PENDING', 'QUOTED') and (expires_at <= clock_timestamp() or exists (
    select from rfq_quotes q where q.rfq_id = rfqs.rfq_id and q.status = 'ACTIVE' and q.valid_until <= clock_timestamp()))
  order by expires_at limit ${most}`

export const lockIfFree = (sql: Sql, instanceId: string, rfqId: string) => sql<{ rfqId: string }[]>`
  select rfq_id as "rfqId" from rfqs where instance_id = ${instanceId} and rfq_id = ${rfqId} for update skip locked`
