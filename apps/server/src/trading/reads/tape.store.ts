import type { Query, Sql } from '../../platform/db/database.ts'

export interface TradeView {
  readonly tradeId: string
  readonly makerBookId: string
  readonly takerBookId: string
  readonly origin: 'CLOB' | 'AUCTION' | 'RFQ'
  readonly makerOrderId: string
  readonly takerOrderId: string
  readonly makerHolder: string
  readonly takerHolder: string
  readonly price: bigint
  readonly quantity: bigint
  readonly makerFee: bigint
  readonly takerFee: bigint
  readonly side: 'BUY' | 'SELL'
  readonly settlementId: string | null
  readonly settlementStatus: 'PROCESSING' | 'CONFIRMED' | 'FAILED' | null
  readonly settlementError: string | null
  readonly createdAt: Date
}

export interface Eligible {
  readonly bookId: string
  readonly unitId: string
  readonly isPooling: boolean
}

export interface Page {
  readonly limit: number
  readonly offset: number
}

/** Behind a trade of the same list, going back in time. */
export interface TradesPage extends Page {
  readonly after: string | null
}

/** Trades, newest first, and how many there are in all. */
export interface TradesList {
  readonly page: (page: TradesPage) => Query<TradeView>
  readonly count: Query<{ total: number }>
}

const isBehind = (sql: Sql, order: 'number' | 'trade_id', after: string | null) =>
  after === null
    ? sql`true`
    : sql`(t.created_at, t.${sql(order)}) < (select a.created_at, a.${sql(order)} from trades a where a.trade_id = ${after})`

const columns = (sql: Sql) => sql`
  t.trade_id as "tradeId", t.maker_book_id as "makerBookId", t.taker_book_id as "takerBookId", t.origin,
  t.maker_order_id as "makerOrderId", t.taker_order_id as "takerOrderId", t.maker_holder as "makerHolder",
  t.taker_holder as "takerHolder", t.price, t.quantity, t.maker_fee as "makerFee", t.taker_fee as "takerFee", t.side,
  t.settlement_id as "settlementId", t.settlement_status as "settlementStatus", t.settlement_error as "settlementError",
  t.created_at as "createdAt"`

/** The books whose trades make up the tape of this one: itself, and while it pools, the whole pool. */
const eligible = (sql: Sql, { bookId, unitId, isPooling }: Eligible) => sql`
  (select b.book_id from order_books b where b.book_id = ${bookId} or (${isPooling} and b.unit_id = ${unitId}
     and b.allow_shared_liquidity and b.status = 'ACTIVE' and b.current_auction_id is null))`

const listTape = (sql: Sql, book: Eligible, { limit, offset, after }: TradesPage) => sql<TradeView[]>`
  select ${columns(sql)} from trades t where t.maker_book_id in ${eligible(sql, book)} and ${isBehind(sql, 'number', after)}
  order by t.created_at desc, t.number desc limit ${limit} offset ${offset}`

/** Counted from the rollups: the tape may be long. */
const countTape = (sql: Sql, book: Eligible) => sql<{ total: number }[]>`
  select coalesce(sum(d.trade_count + d.failed_count), 0)::int as total from book_days d where d.book_id in ${eligible(sql, book)}`

export const tapeOf = (book: Eligible): TradesList => ({
  page: (page) => (sql) => listTape(sql, book, page),
  count: (sql) => countTape(sql, book),
})

export interface DayFigures {
  readonly lastPrice: bigint | null
  readonly volume: bigint
  readonly trades: number
  readonly high: bigint | null
  readonly low: bigint | null
}

/** The last 24 hours and the last price; failed settlements left out. */
export const readFigures = (sql: Sql, book: Eligible, since: Date) => sql<DayFigures[]>`
  with pool as materialized ${eligible(sql, book)}
  select coalesce(sum(t.quantity), 0)::numeric as volume, count(*)::int as trades, max(t.price) as high, min(t.price) as low,
    (select l.price from trades l where l.maker_book_id in (select book_id from pool) and l.settlement_status is distinct from 'FAILED'
     order by l.created_at desc, l.number desc limit 1) as "lastPrice"
  from trades t where t.maker_book_id in (select book_id from pool) and t.settlement_status is distinct from 'FAILED' and t.created_at > ${since}`

export interface WindowFigures {
  readonly volume1h: bigint
  readonly trades1h: number
  readonly volume24h: bigint
  readonly trades24h: number
  readonly volume7d: bigint
  readonly trades7d: number
  readonly volume30d: bigint
  readonly trades30d: number
}

/** Rolling windows, out of one pass over the longest. */
export const readWindows = (sql: Sql, book: Eligible, now: Date) => sql<WindowFigures[]>`
  with recent as (
    select t.quantity, ${now}::timestamptz - t.created_at as age from trades t
    where t.maker_book_id in ${eligible(sql, book)} and t.settlement_status is distinct from 'FAILED'
      and t.created_at > ${now}::timestamptz - interval '30 days')
  select coalesce(sum(quantity) filter (where age < interval '1 hour'), 0)::numeric as "volume1h",
    (count(*) filter (where age < interval '1 hour'))::int as "trades1h",
    coalesce(sum(quantity) filter (where age < interval '24 hours'), 0)::numeric as "volume24h",
    (count(*) filter (where age < interval '24 hours'))::int as "trades24h",
    coalesce(sum(quantity) filter (where age < interval '7 days'), 0)::numeric as "volume7d",
    (count(*) filter (where age < interval '7 days'))::int as "trades7d",
    coalesce(sum(quantity), 0)::numeric as "volume30d", count(*)::int as "trades30d" from recent`

/** Whose trades: those of a class of books only, and of books that the instance may no longer read, or all of them. */
export interface HolderTrades {
  readonly instanceId: string
  readonly holder: string
  readonly bookClass: string | null
}

/** One side at a time, as the indexes have them: asked for either, the database reads all trades of the holder. Who met an own order made it. */
function ofSide(sql: Sql, side: 'maker' | 'taker', { instanceId, holder, bookClass }: HolderTrades) {
  const own = (column: 'instance_id' | 'holder' | 'book_id') => sql(`t.${side}_${column}`)
  const isOnce =
    side === 'maker'
      ? sql`true`
      : sql`(t.maker_instance_id, t.maker_holder) is distinct from (${instanceId}, ${holder})`
  const isOfClass =
    bookClass === null
      ? sql`true`
      : sql`not exists (select 1 from order_books b where b.book_id = ${own('book_id')} and b.class <> ${bookClass})`
  return sql`trades t where ${own('instance_id')} = ${instanceId} and ${own('holder')} = ${holder} and ${isOnce} and ${isOfClass}`
}

const listTradesOfHolder = (sql: Sql, whose: HolderTrades, { limit, offset, after }: TradesPage) => {
  const newest = (side: 'maker' | 'taker') => sql`
    (select ${columns(sql)} from ${ofSide(sql, side, whose)} and ${isBehind(sql, 'trade_id', after)}
     order by t.created_at desc, t.trade_id desc limit ${limit + offset})`
  return sql<TradeView[]>`
    ${newest('maker')} union all ${newest('taker')} order by "createdAt" desc, "tradeId" desc limit ${limit} offset ${offset}`
}

const countTradesOfHolder = (sql: Sql, whose: HolderTrades) => sql<{ total: number }[]>`
  select ((select count(*) from ${ofSide(sql, 'maker', whose)}) + (select count(*) from ${ofSide(sql, 'taker', whose)}))::int as total`

export const tradesOfHolder = (whose: HolderTrades): TradesList => ({
  page: (page) => (sql) => listTradesOfHolder(sql, whose, page),
  count: (sql) => countTradesOfHolder(sql, whose),
})

/** Of one order, on the side that it took, newest first. */
export const listTradesOfOrder = (sql: Sql, orderId: string) => sql<TradeView[]>`
  (select ${columns(sql)} from trades t where t.maker_order_id = ${orderId} order by t.created_at desc, t.number desc limit 100)
  union all (select ${columns(sql)} from trades t where t.taker_order_id = ${orderId} order by t.created_at desc, t.number desc limit 100)`

export type NumberedTrade = TradeView & { readonly number: bigint }

const isOneOf = (sql: Sql, wanted: readonly { readonly trade: number }[]) =>
  sql`t.number = any(${wanted.map(({ trade }) => String(trade))}::text[]::bigint[])`

/** For the venue: trades of a unit by number, also those that are no rows yet. The orders are given because they are indexed. */
export const listNumberedTrades = (
  sql: Sql,
  unitId: string,
  wanted: readonly { readonly trade: number; readonly makerOrder: string }[],
) => sql<NumberedTrade[]>`
  select ${columns(sql)}, t.number from trades t
  where t.maker_order_id = any(${wanted.map(({ makerOrder }) => makerOrder)}::text[]::uuid[])
    and ${isOneOf(sql, wanted)} and t.unit_id = ${unitId}
  union all
  select ${columns(sql)}, t.number
  from matching_units u
  join lane_groups g on g.unit_id = u.unit_id and g.movements = '' and g.last_entry > u.sequence
  cross join lateral (
    select l.*, null::uuid as settlement_id, null::text as settlement_status, null::text as settlement_error, g.at as created_at
    from unnest(g.trades::lane_trade[]) l) t
  where u.unit_id = ${unitId} and ${isOneOf(sql, wanted)}`

/** Of these settlements, in the order they were made. */
export const listTradesOfSettlements = (sql: Sql, settlementIds: readonly string[]) => sql<TradeView[]>`
  select ${columns(sql)} from trades t where t.settlement_id = any(${[...settlementIds]}::text[]::uuid[]) order by t.number`

export interface DayView {
  readonly day: string
  readonly orderCount: number
  readonly tradeCount: number
  readonly volumeBase: bigint
  readonly volumeQuote: bigint
  readonly high: bigint | null
  readonly low: bigint | null
  readonly open: bigint | null
  readonly close: bigint | null
}

/** The rollups of some books, day by day, newest first. */
export const readDays = (sql: Sql, bookIds: readonly string[], since: string) => sql<DayView[]>`
  select day::text, sum(order_count)::int as "orderCount", sum(trade_count)::int as "tradeCount", sum(volume_base) as "volumeBase",
    sum(volume_quote) as "volumeQuote", max(price_high) as high, min(price_low) as low,
    (array_agg(price_open order by opened_at) filter (where price_open is not null))[1] as open,
    (array_agg(price_close order by closed_at desc) filter (where price_close is not null))[1] as close
  from book_days where book_id = any(${[...bookIds]}::text[]::uuid[]) and day >= ${since}::date
  group by day order by day desc`

export interface CandlesPage {
  /** How long a candle is. */
  readonly minutes: number
  readonly since: Date | null
  readonly before: Date | null
  readonly limit: number
}

export interface CandleView {
  readonly startsAt: Date
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
  readonly volume: bigint
  readonly quoteVolume: bigint
  readonly trades: number
  /** There are older ones that were not read. */
  readonly isMore: boolean
}

/**
 * Added up from minutes, newest first. Of each book no more minutes are read than fill the page when every one of them was traded in; where
 * the last of them is cut off in the middle, the candle that it falls into is left to the next page.
 */
export const listCandles = (sql: Sql, book: Eligible, { minutes, since, before, limit }: CandlesPage) => sql<
  CandleView[]
>`
  with pool as materialized ${eligible(sql, book)},
  taken as materialized (
    select date_bin(${`${minutes} minutes`}::interval, m.minute, timestamptz 'epoch') as starts_at, m.*
    from pool p cross join lateral (
      select * from book_minutes b where b.book_id = p.book_id and b.trade_count > 0 and b.minute >= coalesce(${since}::timestamptz, '-infinity')
        and b.minute < coalesce(${before}::timestamptz, 'infinity')
      order by b.minute desc limit ${limit * minutes + 1}) m),
  cut as (
    select max(oldest) as starts_at from (
      select min(starts_at) as oldest from taken group by book_id having count(*) > ${limit * minutes}) o)
  select t.starts_at as "startsAt", sum(trade_count)::int as trades, sum(volume_base) as volume, sum(volume_quote) as "quoteVolume",
    max(price_high) as high, min(price_low) as low, (array_agg(price_open order by opened_at, opened_number))[1] as open,
    (array_agg(price_close order by closed_at desc, closed_number desc))[1] as close, bool_or(c.starts_at is not null) as "isMore"
  from taken t cross join cut c where t.starts_at > coalesce(c.starts_at, '-infinity')
  group by 1 order by 1 desc limit ${limit}`
