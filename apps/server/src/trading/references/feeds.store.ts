import type { Sql } from '../../platform/db/database.ts'
import type { FeedSettings } from '../books/index.rules.ts'

export interface ClaimedFeed extends FeedSettings {
  readonly bookId: string
  readonly unitId: string
  readonly instanceId: string
  readonly claim: string
  readonly priceRefEnforcement: string
  readonly priceRefLastPrice: bigint | null
  readonly failures: number
}

/** Feeds that are due, for this worker alone: those that another one holds are passed over. By the clock of the database. */
export const claimDue = (sql: Sql, claim: string, request: { seconds: number; limit: number }) => sql<ClaimedFeed[]>`
  update order_books b set price_ref_claim = ${claim}, price_ref_claimed_until = clock_timestamp() + make_interval(secs => ${request.seconds})
  from (
    select book_id from order_books
    where price_ref_enabled and price_ref_mode <> 'MANUAL' and status <> 'CLOSED'
      and (price_ref_due_at is null or price_ref_due_at <= clock_timestamp())
      and (price_ref_claimed_until is null or price_ref_claimed_until <= clock_timestamp())
    order by price_ref_due_at nulls first limit ${request.limit} for update skip locked) due
  where b.book_id = due.book_id
  returning b.book_id as "bookId", b.unit_id as "unitId", b.instance_id as "instanceId", b.price_ref_claim as claim,
    b.price_ref_mode as "priceRefMode", b.price_ref_feed_url as "priceRefFeedUrl", b.price_ref_feed_headers as "priceRefFeedHeaders",
    b.price_ref_feed_path as "priceRefFeedPath", b.price_ref_enforcement as "priceRefEnforcement",
    b.price_ref_last_price as "priceRefLastPrice", b.price_ref_failures as failures`

/** No row: the claim was taken over, or the source was changed meanwhile. */
export const recordFailure = (
  sql: Sql,
  feed: Pick<ClaimedFeed, 'bookId' | 'claim'>,
  failure: { reason: string; seconds: number },
) => sql`
  update order_books set price_ref_claim = null, price_ref_claimed_until = null, price_ref_failures = price_ref_failures + 1,
    price_ref_error = ${failure.reason}, price_ref_due_at = clock_timestamp() + make_interval(secs => ${failure.seconds})
  where book_id = ${feed.bookId} and price_ref_claim = ${feed.claim}
  returning 1`

export const insertLog = (
  sql: Sql,
  log: { logId: string; instanceId: string; bookId: string; price: bigint; source: string; enforcement: string },
  now: Date,
) => sql`
  insert into price_reference_log (instance_id, log_id, book_id, price, source, enforcement_used, created_at)
  values (${log.instanceId}, ${log.logId}, ${log.bookId}, ${log.price.toString()}, ${log.source}, ${log.enforcement}, ${now})`

interface PriceLog {
  readonly logId: string
  readonly bookId: string
  readonly instanceId: string
  readonly price: bigint
  readonly source: string
  readonly enforcement: string
  readonly createdAt: Date
}

export const listLogs = (
  sql: Sql,
  instanceId: string,
  bookId: string,
  { limit, offset }: { limit: number; offset: number },
) => sql<PriceLog[]>`
  select log_id as "logId", book_id as "bookId", instance_id as "instanceId", price, source, enforcement_used as enforcement,
    created_at as "createdAt"
  from price_reference_log where instance_id = ${instanceId} and book_id = ${bookId}
  order by created_at desc, log_id desc limit ${limit} offset ${offset}`

export const countLogs = (sql: Sql, instanceId: string, bookId: string) => sql<{ total: number }[]>`
  select count(*)::int as total from price_reference_log where instance_id = ${instanceId} and book_id = ${bookId}`
