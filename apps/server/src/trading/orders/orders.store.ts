import type { Sql } from '../../platform/db/database.ts'
import type { OrderView } from './order.rules.ts'

const columns = (sql: Sql) => sql`
  order_id as "orderId", unit_id as "unitId", book_id as "bookId", instance_id as "instanceId", account_id as "accountId", holder,
  client_order_id as "clientOrderId", side, order_type as "orderType", price, quantity, filled_quantity as filled, status,
  time_in_force as "timeInForce", post_only as "postOnly", stp_mode as "stpMode", auction_id as "auctionId", lock_id as "lockId",
  cancel_reason as "cancelReason", expires_at as "expiresAt", created_at as "createdAt", updated_at as "updatedAt"`

export const readOrder = (sql: Sql, instanceId: string, orderId: string) => sql<OrderView[]>`
  select ${columns(sql)} from orders where order_id = ${orderId} and instance_id = ${instanceId}`

export interface OrderFilter {
  readonly holder: string
  readonly bookId: string | null
  readonly status: string | null
}

export const listOrders = (
  sql: Sql,
  instanceId: string,
  { holder, bookId, status }: OrderFilter,
  page: { limit: number; offset: number },
) => sql<OrderView[]>`
  select ${columns(sql)} from orders
  where instance_id = ${instanceId} and holder = ${holder} and (${bookId}::uuid is null or book_id = ${bookId}::uuid)
    and (${status}::text is null or status = ${status})
  order by created_at desc, order_id desc limit ${page.limit} offset ${page.offset}`

export const countOrders = (sql: Sql, instanceId: string, { holder, bookId, status }: OrderFilter) => sql<
  { total: number }[]
>`
  select count(*)::int as total from orders
  where instance_id = ${instanceId} and holder = ${holder} and (${bookId}::uuid is null or book_id = ${bookId}::uuid)
    and (${status}::text is null or status = ${status})`

/** Off-chain books on which a customer has resting orders, in the order that units are locked in. */
export const listRestingBooks = (sql: Sql, instanceId: string, holder: string) => sql<
  { bookId: string; unitId: string }[]
>`
  select distinct b.book_id as "bookId", b.unit_id as "unitId" from orders o join order_books b using (book_id)
  where o.instance_id = ${instanceId} and o.holder = ${holder} and o.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING')
    and b.settlement_mode = 'OFF_CHAIN'
  order by 2, 1`
