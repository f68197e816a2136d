import type { Sql } from '../../platform/db/database.ts'

export interface AuctionView {
  readonly auctionId: string
  readonly bookId: string
  readonly startedAt: Date
  readonly endsAt: Date
  readonly status: 'COLLECTING' | 'UNCROSSING' | 'CLEARED' | 'CANCELLED'
  readonly clearingPrice: bigint | null
  readonly matchedVolume: bigint
  readonly orderCount: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An auction whose time is up is being cleared, however late the worker comes. */
export const readAuction = (sql: Sql, bookId: string, auctionId: string) => sql<AuctionView[]>`
  select auction_id as "auctionId", book_id as "bookId", started_at as "startedAt", ends_at as "endsAt",
    case when status = 'COLLECTING' and ends_at <= clock_timestamp() then 'UNCROSSING' else status end as status,
    clearing_price as "clearingPrice", matched_volume as "matchedVolume", order_count as "orderCount", created_at as "createdAt",
    updated_at as "updatedAt"
  from book_auctions where book_id = ${bookId} and auction_id = ${auctionId}`

export interface CollectedRow {
  readonly orderId: string
  readonly instanceId: string
  readonly holder: string
  /** Order book units. */
  readonly remaining: bigint
}

export const listCollected = (sql: Sql, bookId: string) => sql<CollectedRow[]>`
  select order_id as "orderId", instance_id as "instanceId", holder, remaining_quantity as remaining
  from orders where book_id = ${bookId} and status = 'AUCTION_PENDING' order by sequence`

/**
 * What trades that are not settled hold of these wallets, in order book units. Where a block has settled one and is not final yet, the wallet
 * has paid already, and is still down for it.
 */
export const listStaged = (sql: Sql, custodyContract: string, chainId: string, holders: readonly string[]) => sql<
  { holder: string; tokenAddress: string; amount: bigint }[]
>`
  select holder, token as "tokenAddress", sum(amount)::bigint as amount
  from (
    select case when t.side = 'BUY' then t.maker_holder else t.taker_holder end as seller,
      case when t.side = 'BUY' then t.taker_holder else t.maker_holder end as buyer,
      b.token_address as base, b.quote_token_address as quote, t.quantity,
      t.notional + case when t.side = 'BUY' then t.taker_quote_fee else t.maker_quote_fee end
        + (b.quote_decimals > 6 and t.price::numeric * t.quantity % 1000000 <> 0)::int as pays
    from order_books b join trades t on t.maker_book_id = b.book_id
    where b.chain_id = ${chainId} and b.custody_contract = ${custodyContract} and t.settlement_status = 'PROCESSING'
      and (t.maker_holder = any(${[...holders]}::text[]) or t.taker_holder = any(${[...holders]}::text[]))) staged
    cross join lateral (values (seller, base, quantity), (buyer, quote, pays)) held (holder, token, amount)
  where holder = any(${[...holders]}::text[])
  group by 1, 2`

export interface ScheduledBook {
  readonly bookId: string
  readonly unitId: string
  readonly instanceId: string
}

export interface DueAuction extends ScheduledBook {
  readonly auctionId: string
  /** How often in a row the spread was at or below the limit of a HYBRID book. */
  readonly narrow: number
}

/** Auctions whose time is up, by the clock of the database, longest first. A paused book keeps its auction until it is resumed. */
export const listDue = (sql: Sql, limit: number) => sql<DueAuction[]>`
  select a.book_id as "bookId", a.unit_id as "unitId", b.instance_id as "instanceId", a.auction_id as "auctionId",
    coalesce(s.narrow, 0) as narrow
  from book_auctions a join order_books b on b.book_id = a.book_id and b.current_auction_id = a.auction_id
    left join book_spreads s on s.book_id = a.book_id
  where a.status = 'COLLECTING' and a.ends_at <= clock_timestamp() and b.status = 'ACTIVE'
  order by a.ends_at limit ${limit}`

/** Books that should be in an auction and are not: always in PERIODIC_AUCTION, after enough wide samples in HYBRID. */
export const listIdle = (sql: Sql, samples: number, limit: number) => sql<ScheduledBook[]>`
  select b.book_id as "bookId", b.unit_id as "unitId", b.instance_id as "instanceId"
  from order_books b left join book_spreads s on s.book_id = b.book_id
  where b.trading_mode <> 'CONTINUOUS' and b.status = 'ACTIVE' and b.current_auction_id is null
    and (b.trading_mode = 'PERIODIC_AUCTION' or s.wide >= ${samples})
  order by b.book_id limit ${limit}`

/**
 * One sample of every HYBRID book that is due for one; of several workers the one that comes first takes it. The spread is that of the
 * depth the book trades on, with its pool while it is in one, or of the orders that its auction has collected. A side without
 * orders is a wide spread. After a gap the count starts anew.
 */
export const sampleSpreads = (sql: Sql, request: { everySeconds: number; gapSeconds: number }) => sql`
  insert into book_spreads as s (unit_id, book_id, sampled_at, wide, narrow)
  select d.unit_id, d.book_id, clock_timestamp(), d.is_wide::int, (not d.is_wide)::int
  from (
    select b.unit_id, b.book_id,
      coalesce((best.ask - best.bid) * 20000 > b.hybrid_switch_spread_bps * (best.ask + best.bid), true) as is_wide
    from order_books b left join book_spreads last on last.book_id = b.book_id
      cross join lateral (
        select max(o.price) filter (where o.side = 'BUY')::numeric as bid, min(o.price) filter (where o.side = 'SELL')::numeric as ask
        from order_books p join orders o on o.book_id = p.book_id
        where p.unit_id = b.unit_id and o.status in ('OPEN', 'PARTIALLY_FILLED', 'AUCTION_PENDING')
          and (o.expires_at is null or o.expires_at > clock_timestamp())
          and (p.book_id = b.book_id or (b.allow_shared_liquidity and b.current_auction_id is null and p.allow_shared_liquidity
            and p.status = 'ACTIVE' and p.current_auction_id is null))) best
    where b.trading_mode = 'HYBRID' and b.status = 'ACTIVE'
      and (last.book_id is null or last.sampled_at <= clock_timestamp() - make_interval(secs => ${request.everySeconds}))) d
  on conflict (book_id) do update set sampled_at = excluded.sampled_at,
    wide = case when excluded.wide = 0 then 0 when s.sampled_at < excluded.sampled_at - make_interval(secs => ${request.gapSeconds}) then 1
      else s.wide + 1 end,
    narrow = case when excluded.narrow = 0 then 0 when s.sampled_at < excluded.sampled_at - make_interval(secs => ${request.gapSeconds}) then 1
      else s.narrow + 1 end
  where s.sampled_at <= excluded.sampled_at - make_interval(secs => ${request.everySeconds})
  returning book_id`
