import type { OrderBookRecord } from '@tallystick/wire'
import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

type Recorded = Omit<
  OrderBookRecord,
  | 'id'
  | 'minOrderSize'
  | 'maxOrderSize'
  | 'tickSize'
  | 'priceRefLastPrice'
  | 'priceRefLastUpdated'
  | 'createdAt'
  | 'updatedAt'
  | '_imported'
  | '_importId'
  | 'tokenAddress'
  | 'quoteTokenAddress'
  | 'custodyContract'
  | 'settlementOperator'
>

export interface BookRow extends Recorded {
  readonly bookId: string
  readonly unitId: string
  readonly class: 'stocks' | 'commodities' | 'external-securities'
  readonly chainId: bigint
  readonly tokenAddress: Address
  readonly quoteTokenAddress: Address
  readonly custodyContract: Address | null
  readonly settlementOperator: Address | null
  readonly minOrderSize: bigint
  readonly maxOrderSize: bigint | null
  readonly tickSize: bigint
  readonly priceRefLastPrice: bigint | null
  readonly priceRefLastUpdated: Date | null
  /** Why its feed did not answer last. */
  readonly priceRefError: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Of the asking instance, when it is not the owner. */
  readonly importId: string | null
  /** Of the unit: groups that were committed. */
  readonly version: bigint
}

const columns = (sql: Sql) => sql`
  b.book_id as "bookId", b.instance_id as "instanceId", b.unit_id as "unitId", b.class, b.chain_id as "chainId",
  b.token_address as "tokenAddress", b.quote_token_address as "quoteTokenAddress", b.name, b.symbol, b.status,
  b.token_type as "tokenType", b.settlement_mode as "settlementMode", b.custody_contract as "custodyContract",
  b.settlement_operator as "settlementOperator", b.underlying_identifier as "underlyingIdentifier", b.stock_token_id as "stockTokenId",
  b.cfid, b.base_decimals as "baseDecimals", b.quote_decimals as "quoteDecimals", b.min_order_size as "minOrderSize",
  b.max_order_size as "maxOrderSize", b.tick_size as "tickSize", b.maker_fee_bps as "makerFeeBps", b.taker_fee_bps as "takerFeeBps",
  b.mm_maker_rebate_bps as "mmMakerRebateBps", b.allow_import as "allowImport", b.allow_shared_liquidity as "allowSharedLiquidity",
  b.trading_mode as "tradingMode", b.auction_interval_seconds as "auctionIntervalSeconds",
  b.hybrid_switch_spread_bps as "hybridSwitchSpreadBps", b.current_auction_id as "currentAuctionId",
  b.auction_roll_unmatched as "auctionRollUnmatched", b.price_ref_enabled as "priceRefEnabled", b.price_ref_mode as "priceRefMode",
  b.price_ref_feed_url as "priceRefFeedUrl", b.price_ref_feed_headers as "priceRefFeedHeaders", b.price_ref_feed_path as "priceRefFeedPath",
  b.price_ref_enforcement as "priceRefEnforcement", b.price_ref_spread_bps as "priceRefSpreadBps",
  b.price_ref_last_price as "priceRefLastPrice", b.price_ref_last_updated as "priceRefLastUpdated",
  b.price_ref_halt_on_stale as "priceRefHaltOnStale", b.price_ref_stale_tolerance as "priceRefStaleTolerance",
  b.price_ref_circuit_breaker_bps as "priceRefCircuitBreakerBps", b.price_ref_error as "priceRefError", b.created_at as "createdAt", b.updated_at as "updatedAt"`

/** Own or imported; a book that is merely offered, or a peer of an own one, is not found. */
const reachable = (sql: Sql, instanceId: string) => sql`
  order_books b left join book_access a on a.instance_id = ${instanceId} and a.book_id = b.book_id and a.via = 'IMPORT' and a.active
  where (b.instance_id = ${instanceId} or a.import_id is not null)`

export const readBook = (sql: Sql, instanceId: string, bookId: string) => sql<BookRow[]>`
  select ${columns(sql)}, a.import_id as "importId", u.version
  from order_books b join matching_units u on u.unit_id = b.unit_id
    left join book_access a on a.instance_id = ${instanceId} and a.book_id = b.book_id and a.via = 'IMPORT' and a.active
  where b.book_id = ${bookId} and (b.instance_id = ${instanceId} or a.import_id is not null)`

export interface BookFilter {
  readonly class: string
  readonly tokenType?: string | undefined
  readonly settlementMode?: string | undefined
  readonly status?: string | undefined
}

/** Own ones newest first, then imported ones newest first. */
export const listBooks = (sql: Sql, instanceId: string, filter: BookFilter) => sql<BookRow[]>`
  select ${columns(sql)}, a.import_id as "importId", 0::bigint as version
  from ${reachable(sql, instanceId)} and b.class = ${filter.class}
    and (${filter.tokenType ?? null}::text is null or b.token_type = ${filter.tokenType ?? null})
    and (${filter.settlementMode ?? null}::text is null or b.settlement_mode = ${filter.settlementMode ?? null})
    and (${filter.status ?? null}::text is null or b.status = ${filter.status ?? null})
  order by a.import_id is not null, b.created_at desc, b.book_id desc`

export const listOwnOffchain = (sql: Sql, instanceId: string, status: string | undefined) => sql<BookRow[]>`
  select ${columns(sql)}, null as "importId", 0::bigint as version from order_books b
  where b.instance_id = ${instanceId} and b.settlement_mode = 'OFF_CHAIN' and (${status ?? null}::text is null or b.status = ${status ?? null})
  order by b.created_at desc, b.book_id desc`

/** Non-closed books of the class on a token, oldest first. */
export const listOnToken = (sql: Sql, instanceId: string, bookClass: string, tokenAddress: string) => sql<BookRow[]>`
  select ${columns(sql)}, null as "importId", 0::bigint as version from order_books b
  where b.instance_id = ${instanceId} and b.class = ${bookClass} and b.token_address = ${tokenAddress} and b.status <> 'CLOSED'
    and (b.class <> 'stocks' or b.token_type = 'STOCK_TOKEN')
  order by b.created_at, b.book_id`

/** Books that pool depth with this one right now, itself left out, oldest first. */
export const listPeers = (sql: Sql, book: { unitId: string; bookId: string }) => sql<BookRow[]>`
  select ${columns(sql)}, null as "importId", 0::bigint as version from order_books b
  where b.unit_id = ${book.unitId} and b.book_id <> ${book.bookId} and b.allow_shared_liquidity and b.status = 'ACTIVE'
    and b.current_auction_id is null
  order by b.created_at, b.book_id`

export const listImportable = (sql: Sql, instanceId: string, bookClass: string) => sql<BookRow[]>`
  select ${columns(sql)}, null as "importId", 0::bigint as version from order_books b
  where b.class = ${bookClass} and b.allow_import and b.status = 'ACTIVE' and b.settlement_mode = 'ON_CHAIN'
    and b.instance_id <> ${instanceId}
    and not exists (select from book_access a
      where a.instance_id = ${instanceId} and a.book_id = b.book_id and a.via = 'IMPORT' and a.active)
  order by b.created_at desc, b.book_id desc limit 100`

export const findOffered = (sql: Sql, bookId: string) => sql<BookRow[]>`
  select ${columns(sql)}, null as "importId", 0::bigint as version from order_books b where b.book_id = ${bookId}`

/** Columns by their names in the table. */
export type NewBook = Readonly<Record<string, unknown>> & { readonly book_id: string; readonly instance_id: string }

export async function insertBook(sql: Sql, book: NewBook): Promise<void> {
  await sql`insert into order_books ${sql(book as Record<string, string>)}`
}

export async function insertAccess(sql: Sql, instanceId: string, bookId: string, now: Date): Promise<void> {
  await sql`
    insert into book_access (instance_id, book_id, via, created_at, updated_at)
    values (${instanceId}, ${bookId}, 'OWNER', ${now}, ${now})`
}

export interface ImportRow {
  readonly importId: string
  readonly bookId: string
  readonly instanceId: string
  readonly active: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

const importColumns = (sql: Sql) => sql`
  import_id as "importId", book_id as "bookId", instance_id as "instanceId", active, created_at as "createdAt", updated_at as "updatedAt"`

/** No row: there is an active import already. */
export const insertImport = (
  sql: Sql,
  instanceId: string,
  { importId, bookId, now }: { importId: string; bookId: string; now: Date },
) => sql<ImportRow[]>`
  insert into book_access as a (instance_id, book_id, via, import_id, created_at, updated_at)
  values (${instanceId}, ${bookId}, 'IMPORT', ${importId}, ${now}, ${now})
  on conflict (instance_id, book_id, via) do update set active = true, updated_at = excluded.updated_at where not a.active
  returning ${importColumns(sql)}`

export const endImport = (sql: Sql, instanceId: string, importId: string, bookClass: string, now: Date) => sql<
  ImportRow[]
>`
  update book_access a set active = false, updated_at = ${now}
  where a.instance_id = ${instanceId} and a.import_id = ${importId} and a.active
    and exists (select from order_books b where b.book_id = a.book_id and b.class = ${bookClass})
  returning ${importColumns(sql)}`

export const findImported = (sql: Sql, instanceId: string, importId: string) => sql<{ unitId: string }[]>`
  select b.unit_id as "unitId" from book_access a join order_books b using (book_id)
  where a.instance_id = ${instanceId} and a.import_id = ${importId} and a.active`
