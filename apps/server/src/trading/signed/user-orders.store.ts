import type { Sql } from '../../platform/db/database.ts'
import type { OrderView } from '../orders/index.rules.ts'

/** Off the book from its last second on, whether or not somebody has swept since. */
const shown = (sql: Sql, now: Date) => sql`
  case when o.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING') and o.expires_at <= ${now} then 'EXPIRED' else o.status end`

const columns = (sql: Sql, now: Date) => sql`
  o.order_id as "orderId", o.unit_id as "unitId", o.book_id as "bookId", o.instance_id as "instanceId", o.account_id as "accountId",
  o.holder, o.client_order_id as "clientOrderId", o.side, o.order_type as "orderType", o.price, o.quantity,
  o.filled_quantity as filled, ${shown(sql, now)} as status, o.time_in_force as "timeInForce", o.post_only as "postOnly",
  o.stp_mode as "stpMode", o.auction_id as "auctionId", o.lock_id as "lockId", o.cancel_reason as "cancelReason",
  o.expires_at as "expiresAt", o.created_at as "createdAt", o.updated_at as "updatedAt"`

/** Of the class, or on a book that the instance may no longer read: the order is its own all the same. */
const ofClass = (sql: Sql, bookClass: string) => sql`
  orders o left join order_books b on b.book_id = o.book_id where (b.book_id is null or b.class = ${bookClass})`

export const readOrder = (sql: Sql, instanceId: string, bookClass: string, orderId: string, now: Date) => sql<
  OrderView[]
>`
  select ${columns(sql, now)} from ${ofClass(sql, bookClass)} and o.order_id = ${orderId} and o.instance_id = ${instanceId}`

export interface UserFilter {
  readonly class: string
  readonly holder: string
  readonly bookId: string | null
  readonly status: string | null
}

const filtered = (sql: Sql, instanceId: string, filter: UserFilter, now: Date) => sql`
  ${ofClass(sql, filter.class)} and o.instance_id = ${instanceId} and o.holder = ${filter.holder}
    and (${filter.bookId}::uuid is null or o.book_id = ${filter.bookId}::uuid)
    and (${filter.status}::text is null or ${shown(sql, now)} = ${filter.status})`

export const listOrders = (
  sql: Sql,
  instanceId: string,
  filter: UserFilter,
  page: { limit: number; offset: number },
  now: Date,
) => sql<OrderView[]>`
  select ${columns(sql, now)} from ${filtered(sql, instanceId, filter, now)}
  order by o.created_at desc, o.order_id desc limit ${page.limit} offset ${page.offset}`

export const countOrders = (sql: Sql, instanceId: string, filter: UserFilter, now: Date) => sql<{ total: number }[]>`
  select count(*)::int as total from ${filtered(sql, instanceId, filter, now)}`

/** Books of the class on which a wallet has resting orders, in the order that units are locked in. */
export const listRestingBooks = (sql: Sql, instanceId: string, bookClass: string, holder: string) => sql<
  { bookId: string; unitId: string }[]
>`
  select distinct o.book_id as "bookId", o.unit_id as "unitId" from ${ofClass(sql, bookClass)}
    and o.instance_id = ${instanceId} and o.holder = ${holder} and o.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING')
  order by 2, 1`

/** Accounts of the instance with resting orders on a book. */
export const listRestingHolders = (sql: Sql, instanceId: string, bookId: string) => sql<{ holder: string }[]>`
  select distinct holder from orders
  where instance_id = ${instanceId} and book_id = ${bookId} and status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING') order by 1`

/** Own orders of a wallet with their places on chain. */
export const listPlaces = (
  sql: Sql,
  instanceId: string,
  bookClass: string,
  holder: string,
  orderIds: readonly string[],
) => sql<{ orderId: string; unitId: string; bookId: string }[]>`
  select o.order_id as "orderId", o.unit_id as "unitId", o.book_id as "bookId" from ${ofClass(sql, bookClass)}
    and o.instance_id = ${instanceId} and o.holder = ${holder} and o.order_id = any(${[...orderIds]}::text[]::uuid[])
  order by o.created_at, o.order_id`
