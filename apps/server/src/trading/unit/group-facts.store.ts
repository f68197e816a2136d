import type { Grant, Sql } from '../../platform/db/database.ts'
import { asJson } from './json-rows.rules.ts'
import type { KeptKey } from './lane-rows.rules.ts'
import type { BalanceChange } from './money.rules.ts'
import type { UsedClientOrderId } from './unit-rows.rules.ts'

export interface AccountFacts {
  readonly accountId: string
  readonly holder: string
  readonly isMarketMaker: boolean
  readonly permittedBooks: readonly string[] | null
  readonly status: 'ACTIVE' | 'SUSPENDED'
}

export interface BookFacts {
  readonly bookId: string
  readonly instanceId: string
  readonly tokenAddress: string
  readonly quoteTokenAddress: string
  readonly status: 'ACTIVE' | 'PAUSED' | 'CLOSED'
  readonly settlementMode: 'ON_CHAIN' | 'OFF_CHAIN'
  readonly quoteDecimals: number | null
  readonly tradingMode: 'CONTINUOUS' | 'PERIODIC_AUCTION' | 'HYBRID'
  readonly auctionIntervalSeconds: number | null
  readonly currentAuctionId: string | null
  readonly currentAuctionEndsAt: Date | null
  readonly priceRefEnabled: boolean
  readonly priceRefEnforcement: string
  readonly priceRefHaltOnStale: boolean
  readonly priceRefStaleTolerance: number | null
  readonly priceRefLastUpdated: Date | null
  readonly priceRefLastPrice: bigint | null
  readonly priceRefSpreadBps: number | null
  readonly priceRefCircuitBreakerBps: number | null
  /** Who asks its feed now. */
  readonly priceRefClaim: string | null
  /** When this was read, by the clock of the database. */
  readonly readAt: Date
}

interface Look {
  readonly instanceId: string
  readonly holders: readonly string[]
  readonly clientOrderIds: readonly string[]
}

export const readBooks = (sql: Sql, unitId: string) => sql<BookFacts[]>`
  select book_id as "bookId", instance_id as "instanceId", token_address as "tokenAddress", quote_token_address as "quoteTokenAddress",
    status, settlement_mode as "settlementMode", quote_decimals as "quoteDecimals", trading_mode as "tradingMode",
    auction_interval_seconds as "auctionIntervalSeconds", current_auction_id as "currentAuctionId",
    current_auction_ends_at as "currentAuctionEndsAt", price_ref_enabled as "priceRefEnabled",
    price_ref_enforcement as "priceRefEnforcement", price_ref_halt_on_stale as "priceRefHaltOnStale",
    price_ref_stale_tolerance as "priceRefStaleTolerance", price_ref_last_updated as "priceRefLastUpdated",
    price_ref_last_price as "priceRefLastPrice", price_ref_spread_bps as "priceRefSpreadBps",
    price_ref_circuit_breaker_bps as "priceRefCircuitBreakerBps", price_ref_claim as "priceRefClaim", clock_timestamp() as "readAt"
  from order_books where unit_id = ${unitId}`

export const enterInstance = (sql: Sql, instanceId: string) => sql`
  select set_config('role', 'tally_api', true), set_config('tally.instance_id', ${instanceId}, true)`

/** Keys that changed since they were looked up. */
export const staleKeys = (sql: Sql, grants: readonly Grant[]) => sql<{ stale: string }[]>`
  select unnest(tally_stale_keys(
    ${grants.map(({ keyId }) => keyId)}::text[]::uuid[], ${grants.map(({ keyEpoch }) => String(keyEpoch))}::text[]::bigint[],
    ${grants.map(({ instanceId }) => instanceId)}::text[]::uuid[],
    ${grants.map(({ instanceEpoch }) => String(instanceEpoch))}::text[]::bigint[]))::text as stale`

export const readAccounts = (sql: Sql, { instanceId, holders }: Look) => sql<AccountFacts[]>`
  select account_id as "accountId", holder, is_market_maker as "isMarketMaker", permitted_books as "permittedBooks", status
  from trading_accounts where instance_id = ${instanceId} and holder = any(${[...holders]}::text[])`

export const readBalances = (sql: Sql, { instanceId, holders }: Look) => sql<
  { holder: string; tokenAddress: string; available: bigint }[]
>`
  select holder, token_address as "tokenAddress", available from ledger_balances
  where instance_id = ${instanceId} and holder = any(${[...holders]}::text[])`

export const readTokens = (sql: Sql, instanceId: string) => sql<{ tokenAddress: string }[]>`
  select token_address as "tokenAddress" from ledger_tokens where instance_id = ${instanceId}`

export const readUsedIds = (sql: Sql, { instanceId, holders, clientOrderIds }: Look) => sql<
  { holder: string; clientOrderId: string; orderId: string }[]
>`
  select a.holder, c.client_order_id as "clientOrderId", c.order_id as "orderId"
  from trading_accounts a cross join lateral (select i.client_order_id, i.order_id from client_order_ids i
    where i.account_id = a.account_id and i.client_order_id = any(${[...clientOrderIds]}::text[]) offset 0) c
  where a.instance_id = ${instanceId} and a.holder = any(${[...holders]}::text[])`

export const openBalances = (sql: Sql, instanceId: string, changes: readonly BalanceChange[], now: Date) => sql`
  insert into ledger_balances (instance_id, holder, token_address, updated_at)
  select ${instanceId}::uuid, holder, "tokenAddress", ${now}
  from json_to_recordset(${asJson(changes)}::text::json) as c(holder text, "tokenAddress" text) order by 2, 3
  on conflict do nothing`

/** Only where it stays above zero: a row that is missing from the count would have gone below. */
export const moveBalances = (sql: Sql, instanceId: string, changes: readonly BalanceChange[], now: Date) => sql`
  update ledger_balances b set available = b.available + c.available, reserved = b.reserved + c.reserved, updated_at = ${now}
  from json_to_recordset(${asJson(changes)}::text::json) as c(holder text, "tokenAddress" text, available numeric, reserved numeric)
  cross join lateral (select i.ctid from ledger_balances i where i.instance_id = ${instanceId} and i.holder = c.holder
    and i.token_address = c."tokenAddress" and i.available + c.available >= 0 and i.reserved + c.reserved >= 0 offset 0) found
  where b.ctid = found.ctid`

export const insertUsedIds = (sql: Sql, instanceId: string, ids: readonly UsedClientOrderId[]) => sql`
  insert into client_order_ids (instance_id, account_id, client_order_id, order_id)
  select ${instanceId}::uuid, "accountId", "clientOrderId", "orderId"
  from json_to_recordset(${asJson(ids)}::text::json) as i("accountId" uuid, "clientOrderId" text, "orderId" uuid)`

/** Fewer rows than keys: somebody else used one of them in the same moment. */
export const keepKeys = (sql: Sql, instanceId: string, keys: readonly KeptKey[], now: Date) => sql`
  insert into idempotency_keys as k (instance_id, operation, idempotency_key, request_sha256, status, answer, created_at)
  select ${instanceId}::uuid, operation, key, decode(fingerprint, 'hex'), status, convert_to(body, 'UTF8'), ${now}
  from json_to_recordset(${asJson(keys)}::text::json) as i(operation text, key text, fingerprint text, status int, body text)
  on conflict (instance_id, operation, idempotency_key) do update
    set request_sha256 = excluded.request_sha256, status = excluded.status, answer = excluded.answer, created_at = excluded.created_at
    where k.created_at <= ${now}::timestamptz - interval '24 hours'`

export interface LoggedPrice {
  readonly instanceId: string
  readonly logId: string
  readonly bookId: string
  readonly price: bigint
  readonly source: string
  readonly enforcement: string
}

export const insertPrices = (sql: Sql, instanceId: string, prices: readonly LoggedPrice[], now: Date) => sql`
  insert into price_reference_log (instance_id, log_id, book_id, price, source, enforcement_used, created_at)
  select ${instanceId}::uuid, "logId", "bookId", price, source, enforcement, ${now}
  from json_to_recordset(${asJson(prices)}::text::json) as p("logId" uuid, "bookId" uuid, price bigint, source text, enforcement text)`
