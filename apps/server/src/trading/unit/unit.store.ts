import type { Sql } from '../../platform/db/database.ts'
import { asJson } from './json-rows.rules.ts'
import type {
  DayRow,
  OrderChange,
  OrderRow,
  SettlementRow,
  SignedOrderRow,
  TradeOutcome,
  TradeRow,
} from './unit-rows.rules.ts'

export interface UnitHead {
  readonly version: bigint
  readonly sequence: bigint
  readonly headHash: string
}

export interface StoredEntry {
  readonly number: number
  readonly body: string
  readonly hash: string
}

export interface StoredSnapshot {
  readonly sequence: bigint
  readonly state: string
  readonly hash: string
}

/**
 * A plan is made once, often while the tables are young and reading all of one seems cheap, and is kept while they grow. So the planner may
 * not do that here, nor gather rows in bulk or with helpers for what is one look into an index; and rows to be changed are found one by one, by index (`cross join lateral ... offset 0`), then taken by their place.
 */
export const nameUnit = (sql: Sql, unitId: string) => sql`
  select set_config('role', 'tally_venue', true), set_config('tally.unit_id', ${unitId}, true), set_config('enable_seqscan', 'off', true),
    set_config('enable_bitmapscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`

export const lockUnit = (sql: Sql, unitId: string) => sql<UnitHead[]>`
  select version, sequence, head_hash as "headHash" from matching_units where unit_id = ${unitId} for update`

/** The same, for somebody who only looks. */
export const readHead = (sql: Sql, unitId: string) => sql<UnitHead[]>`
  select version, sequence, head_hash as "headHash" from matching_units where unit_id = ${unitId}`

/** Behind every entry. */
const END = Number.MAX_SAFE_INTEGER

export const readEntries = (sql: Sql, unitId: string, after: number) => sql<StoredEntry[]>`
  select number::int as number, body, hash from tally_entries(${unitId}, ${after}, ${END}) order by number`

/** One row at least: the head, with the entries after `after` beside it. */
export const readHeadAndEntries = (sql: Sql, unitId: string, after: number) => sql<
  (UnitHead & { readonly number: number | null; readonly body: string; readonly hash: string })[]
>`
  select u.version, u.sequence, u.head_hash as "headHash", j.number::int as number, j.body, j.hash
  from matching_units u left join tally_entries(${unitId}, ${after}, ${END}) j on true
  where u.unit_id = ${unitId} order by j.number`

export const newestSnapshot = (sql: Sql, unitId: string) => sql<StoredSnapshot[]>`
  select sequence, state, hash from unit_snapshots where unit_id = ${unitId} order by sequence desc limit 1`

/** What the state of a unit can be built from. */
export interface UnitEntries {
  newestSnapshot(): Promise<StoredSnapshot | undefined>
  entriesAfter(number: number): Promise<readonly StoredEntry[]>
}

export const entriesIn = (sql: Sql, unitId: string): UnitEntries => ({
  newestSnapshot: async () => (await newestSnapshot(sql, unitId))[0],
  entriesAfter: async (number) => readEntries(sql, unitId, number),
})

export async function insertUnit(sql: Sql, unitId: string, headHash: string, now: Date): Promise<void> {
  await sql`
    insert into matching_units (unit_id, head_hash, created_at) values (${unitId}, ${headHash}, ${now}) on conflict do nothing`
}

export const findGroup = (sql: Sql, unitId: string, version: bigint) => sql<{ groupId: string }[]>`
  select group_id as "groupId" from unit_groups where unit_id = ${unitId} and version = ${version.toString()}::bigint`

/** The states at these places are kept; older ones are not needed once a newer one is stored. */
export async function insertSnapshot(
  sql: Sql,
  unitId: string,
  snapshot: { sequence: number; state: string; hash: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into unit_snapshots (unit_id, sequence, state, hash, taken_at)
    values (${unitId}, ${snapshot.sequence}, ${snapshot.state}, ${snapshot.hash}, ${now}) on conflict do nothing`
  await sql`
    delete from unit_snapshots where unit_id = ${unitId} and sequence not in (
      select sequence from unit_snapshots where unit_id = ${unitId} order by sequence desc limit 2)`
}

/** An entry is one line, so all of them are one text: nothing in it has to be escaped, and nothing taken out of its escapes again. */
export const insertEntries = (sql: Sql, unitId: string, entries: readonly StoredEntry[]) => sql`
  insert into unit_entries (unit_id, sequence, entry, hash)
  select ${unitId}::uuid, ${(entries[0]?.number ?? 0) - 1} + nth, body, hash
  from rows from (string_to_table(${entries.map(({ body }) => body).join('\n')}::text, E'\\n'),
    string_to_table(${entries.map(({ hash }) => hash).join('\n')}::text, E'\\n')) with ordinality as e(body, hash, nth)`

export const insertOrders = (sql: Sql, unitId: string, orders: readonly OrderRow[]) => sql`
  insert into orders (unit_id, order_id, book_id, instance_id, account_id, holder, client_order_id, side, order_type, price, quantity,
    filled_quantity, status, time_in_force, post_only, stp_mode, cancel_reason, expires_at, lock_id, auction_id, sequence, created_at,
    updated_at)
  select ${unitId}::uuid, "orderId", "bookId", "instanceId", "accountId", holder, "clientOrderId", side, "orderType", price, quantity,
    filled, status, "timeInForce", "postOnly", "stpMode", "cancelReason", "expiresAt", "lockId", "auctionId", sequence, "createdAt",
    "updatedAt"
  from json_to_recordset(${asJson(orders)}::text::json) as o("orderId" uuid, "bookId" uuid, "instanceId" uuid, "accountId" uuid,
    holder text, "clientOrderId" text, side text, "orderType" text, price bigint, quantity bigint, filled bigint, status text,
    "timeInForce" text, "postOnly" boolean, "stpMode" text, "cancelReason" text, "expiresAt" timestamptz, "lockId" uuid,
    "auctionId" uuid, sequence bigint, "createdAt" timestamptz, "updatedAt" timestamptz)`

export const updateOrders = (sql: Sql, unitId: string, changes: readonly OrderChange[]) => sql`
  update orders o set price = c.price, quantity = c.quantity, filled_quantity = o.filled_quantity + c.filled, status = c.status,
    cancel_reason = c."cancelReason", updated_at = c."updatedAt"
  from json_to_recordset(${asJson(changes)}::text::json) as c("orderId" uuid, price bigint, quantity bigint, filled bigint, status text,
    "cancelReason" text, "updatedAt" timestamptz, "mayHaveEnded" boolean)
  cross join lateral (select i.ctid from orders i where i.order_id = c."orderId" and i.unit_id = ${unitId}::uuid
    and (c."mayHaveEnded" or i.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING')) offset 0) found
  where o.ctid = found.ctid`

/** `inLedger`: what they move there follows from them. */
export const insertTrades = (sql: Sql, unitId: string, trades: readonly TradeRow[], inLedger: boolean) => sql`
  insert into trades (unit_id, trade_id, number, sequence, origin, maker_book_id, taker_book_id, maker_order_id, taker_order_id,
    maker_instance_id, taker_instance_id, maker_holder, taker_holder, side, price, quantity, notional, maker_fee, taker_fee,
    maker_quote_fee, taker_quote_fee, quote_id, settlement_id, settlement_status, lines_follow, created_at)
  select ${unitId}::uuid, "tradeId", number, sequence, origin, "makerBookId", "takerBookId", "makerOrderId", "takerOrderId",
    "makerInstanceId", "takerInstanceId", "makerHolder", "takerHolder", side, price, quantity, notional, "makerFee", "takerFee",
    "makerQuoteFee", "takerQuoteFee", "quoteId", "settlementId", "settlementStatus", ${inLedger}, "createdAt"
  from json_to_recordset(${asJson(trades)}::text::json) as t("tradeId" uuid, number bigint, sequence bigint, origin text,
    "makerBookId" uuid, "takerBookId" uuid, "makerOrderId" uuid, "takerOrderId" uuid, "makerInstanceId" uuid, "takerInstanceId" uuid,
    "makerHolder" text, "takerHolder" text, side text, price bigint, quantity bigint, notional bigint, "makerFee" bigint,
    "takerFee" bigint, "makerQuoteFee" bigint, "takerQuoteFee" bigint, "quoteId" uuid, "settlementId" uuid, "settlementStatus" text,
    "createdAt" timestamptz)`

export const insertSignedOrders = (sql: Sql, unitId: string, orders: readonly SignedOrderRow[]) => sql`
  insert into signed_orders (unit_id, order_id, chain_id, custody_contract, order_hash, trader, token_address, quote_token_address, is_buy,
    quantity, price, max_fee, expiry, nonce, salt, signature, created_at)
  select ${unitId}::uuid, "orderId", "chainId", "custodyContract", "orderHash", trader, "tokenAddress", "quoteTokenAddress", "isBuy",
    quantity, price, "maxFee", expiry, nonce, salt, signature, "createdAt"
  from json_to_recordset(${asJson(orders)}::text::json) as s("orderId" uuid, "chainId" bigint, "custodyContract" text, "orderHash" text,
    trader text, "tokenAddress" text, "quoteTokenAddress" text, "isBuy" boolean, quantity numeric, price numeric, "maxFee" numeric,
    expiry bigint, nonce numeric, salt text, signature text, "createdAt" timestamptz)`

export const insertSettlements = (sql: Sql, unitId: string, settlements: readonly SettlementRow[]) => sql`
  insert into settlements (unit_id, settlement_id, book_id, status, trade_count, created_at, updated_at)
  select ${unitId}::uuid, "settlementId", "bookId", 'PENDING', "tradeCount", "createdAt", "createdAt"
  from json_to_recordset(${asJson(settlements)}::text::json) as s("settlementId" uuid, "bookId" uuid, "tradeCount" integer,
    "createdAt" timestamptz)`

/** Only trades that still wait: one that has ended would be missing from the count. */
export const endTrades = (sql: Sql, unitId: string, outcomes: readonly TradeOutcome[]) => sql`
  update trades t set settlement_status = o.status, settlement_error = o.error
  from json_to_recordset(${asJson(outcomes)}::text::json) as o(number bigint, status text, error text)
  cross join lateral (select i.ctid from trades i where i.unit_id = ${unitId} and i.number = o.number and i.settlement_id is not null
    and i.settlement_status = 'PROCESSING' offset 0) found
  where t.ctid = found.ctid`

/** A settlement has ended with its last trade; each trade's own word is the authority. */
export const endSettlements = (sql: Sql, unitId: string, numbers: readonly number[], now: Date) => sql`
  update settlements s set updated_at = ${now}, settled_at = case when e.waiting then null else ${now}::timestamptz end,
    status = case when e.waiting then s.status when e.failed then 'FAILED' else 'CONFIRMED' end,
    error = case when e.failed then e.why else s.error end
  from (
    select settlement_id, bool_or(settlement_status = 'PROCESSING') as waiting, bool_or(settlement_status = 'FAILED') as failed,
      min(settlement_error) as why
    from trades where settlement_id in (
      select settlement_id from trades where unit_id = ${unitId} and settlement_id is not null and number = any(${numbers.map(String)}::text[]::bigint[]))
    group by settlement_id) e
  where s.settlement_id = e.settlement_id and s.unit_id = ${unitId}`

export const updateSettlement = (
  sql: Sql,
  unitId: string,
  settlementId: string,
  columns: Readonly<Record<string, unknown>>,
) => sql`
  update settlements set ${sql(columns as Record<string, string>)} where settlement_id = ${settlementId} and unit_id = ${unitId}`

/** Days of failed trades, counted anew from the tape: a high, a low or a last price may have been theirs. */
export const rebuildDays = (sql: Sql, unitId: string, failed: readonly number[]) => sql`
  with hit as (
    select distinct maker_book_id as book_id, (created_at at time zone 'UTC')::date as day
    from trades where unit_id = ${unitId} and settlement_id is not null and number = any(${failed.map(String)}::text[]::bigint[])),
  fresh as (
    select h.book_id, h.day, count(*) filter (where t.stands) as trade_count, count(*) filter (where not t.stands) as failed_count,
      coalesce(sum(t.quantity) filter (where t.stands), 0) as volume_base, coalesce(sum(t.notional) filter (where t.stands), 0) as volume_quote,
      max(t.price) filter (where t.stands) as price_high, min(t.price) filter (where t.stands) as price_low,
      (array_agg(t.price order by t.number) filter (where t.stands))[1] as price_open,
      (array_agg(t.price order by t.number desc) filter (where t.stands))[1] as price_close,
      min(t.created_at) filter (where t.stands) as opened_at, max(t.created_at) filter (where t.stands) as closed_at
    from hit h join lateral (
      select *, settlement_status is distinct from 'FAILED' as stands from trades
      where unit_id = ${unitId} and maker_book_id = h.book_id and created_at >= h.day::timestamp at time zone 'UTC'
        and created_at < (h.day + 1)::timestamp at time zone 'UTC') t on true
    group by 1, 2)
  update book_days b set trade_count = f.trade_count, failed_count = f.failed_count, volume_base = f.volume_base,
    volume_quote = f.volume_quote, price_high = f.price_high, price_low = f.price_low, price_open = f.price_open,
    price_close = f.price_close, opened_at = f.opened_at, closed_at = f.closed_at
  from fresh f where b.unit_id = ${unitId} and b.book_id = f.book_id and b.day = f.day`

export const addDays = (sql: Sql, unitId: string, days: readonly DayRow[]) => sql`
  insert into book_days as b (unit_id, book_id, day, order_count, trade_count, volume_base, volume_quote, price_high, price_low,
    price_open, price_close, opened_at, closed_at)
  select ${unitId}::uuid, "bookId", day, orders, trades, base, quote, high, low, open, close,
    case when trades > 0 then at end, case when trades > 0 then at end
  from json_to_recordset(${asJson(days)}::text::json) as d("bookId" uuid, day date, orders integer, trades integer, base numeric,
    quote numeric, high bigint, low bigint, open bigint, close bigint, at timestamptz)
  on conflict (book_id, day, unit_id) do update set order_count = b.order_count + excluded.order_count,
    trade_count = b.trade_count + excluded.trade_count, volume_base = b.volume_base + excluded.volume_base,
    volume_quote = b.volume_quote + excluded.volume_quote, price_high = greatest(b.price_high, excluded.price_high),
    price_low = least(b.price_low, excluded.price_low), price_open = coalesce(b.price_open, excluded.price_open),
    price_close = coalesce(excluded.price_close, b.price_close), opened_at = coalesce(b.opened_at, excluded.opened_at),
    closed_at = coalesce(excluded.closed_at, b.closed_at)`

export const insertGroup = (
  sql: Sql,
  unitId: string,
  group: { version: bigint; groupId: string; sequence: number },
  now: Date,
) => sql`
  insert into unit_groups (unit_id, version, group_id, last_sequence, committed_at)
  values (${unitId}, ${group.version.toString()}::bigint, ${group.groupId}, ${group.sequence}, ${now})`

/** Compare-and-set: no row when the unit is not at the version that the group was matched on. */
export const moveUnit = (sql: Sql, unitId: string, from: bigint, to: { sequence: number; headHash: string }) => sql`
  update matching_units set version = version + 1, sequence = ${to.sequence}, head_hash = ${to.headHash}
  where unit_id = ${unitId} and version = ${from.toString()}::bigint`

export const updateBook = (sql: Sql, unitId: string, bookId: string, columns: Readonly<Record<string, unknown>>) => sql`
  update order_books set ${sql(columns as Record<string, string>)} where book_id = ${bookId} and unit_id = ${unitId}`

/**
 * Who may read whose tape follows from who pools: everybody with access to one book of the pool reads all of them. For the venue, after
 * the pool changed.
 */
export const rewritePeers = (sql: Sql, unitId: string, now: Date) => [
  sql`
    delete from book_access a where a.via = 'PEER' and a.book_id in (select b.book_id from order_books b where b.unit_id = ${unitId})`,
  sql`
    with pooled as (
      select book_id from order_books where unit_id = ${unitId} and allow_shared_liquidity and status = 'ACTIVE' and current_auction_id is null)
    insert into book_access (instance_id, book_id, via, created_at, updated_at)
    select distinct a.instance_id, other.book_id, 'PEER', ${now}::timestamptz, ${now}::timestamptz
    from book_access a join pooled own using (book_id) cross join pooled other
    where a.via <> 'PEER' and a.active and other.book_id <> a.book_id`,
]
