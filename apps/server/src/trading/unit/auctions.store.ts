import type { Sql } from '../../platform/db/database.ts'
import type { AuctionRow, EndedAuction } from './auctions-of-group.rules.ts'
import { asJson } from './json-rows.rules.ts'

export const upsertAuctions = (sql: Sql, unitId: string, auctions: readonly AuctionRow[], now: Date) => sql`
  insert into book_auctions (unit_id, auction_id, book_id, status, started_at, ends_at, created_at, updated_at)
  select ${unitId}::uuid, "auctionId", "bookId", 'COLLECTING', "startedAt", "endsAt", ${now}, ${now}
  from json_to_recordset(${asJson(auctions)}::text::json)
    as a("auctionId" uuid, "bookId" uuid, "startedAt" timestamptz, "endsAt" timestamptz)
  on conflict (auction_id) do update set ends_at = excluded.ends_at, updated_at = excluded.updated_at`

/** Only those that still collect: one that has ended would be missing from the count. */
export const endAuctions = (sql: Sql, unitId: string, ended: readonly EndedAuction[], now: Date) => sql`
  update book_auctions a set status = e.outcome, clearing_price = e.price, matched_volume = e.volume, order_count = e.orders,
    updated_at = ${now}
  from json_to_recordset(${asJson(ended)}::text::json)
    as e("auctionId" uuid, outcome text, price bigint, volume bigint, orders integer)
  cross join lateral (select i.ctid from book_auctions i where i.unit_id = ${unitId} and i.auction_id = e."auctionId"
    and i.status = 'COLLECTING' offset 0) found
  where a.ctid = found.ctid`

/** After everything else: whatever waits on these books waits for the auction that runs there now. */
export const nameAuctions = (sql: Sql, unitId: string, bookIds: readonly string[]) => sql`
  update orders o set auction_id = b.current_auction_id
  from order_books b
  where o.unit_id = ${unitId} and o.book_id = b.book_id and b.book_id = any(${[...bookIds]}::text[]::uuid[]) and o.status = 'AUCTION_PENDING'
    and b.current_auction_id is not null and o.auction_id is distinct from b.current_auction_id`
