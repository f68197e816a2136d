import type { Address, Hex } from 'viem'
import type { Sql } from '../../platform/db/database.ts'
import type { BookClass } from '../books/index.rules.ts'

export interface SettlementRow {
  readonly settlementId: string
  readonly unitId: string
  readonly bookId: string
  readonly status: 'PENDING' | 'PROCESSING' | 'CONFIRMED' | 'FAILED'
  readonly tradeCount: number
  readonly txHash: Hex | null
  readonly blockNumber: bigint | null
  readonly gasUsed: bigint | null
  readonly error: string | null
  readonly settledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** A final block at which none of what is open was settled yet. */
  readonly checkedBlock: bigint | null
}

const columns = (sql: Sql) => sql`
  s.settlement_id as "settlementId", s.unit_id as "unitId", s.book_id as "bookId", s.status, s.trade_count as "tradeCount",
  s.tx_hash as "txHash", s.block_number as "blockNumber", s.gas_used as "gasUsed", s.error, s.settled_at as "settledAt",
  s.created_at as "createdAt", s.updated_at as "updatedAt", s.checked_block as "checkedBlock"`

/** The book that a settlement belongs to, as far as whoever asks may read it. */
export interface SettledBook {
  readonly instanceId: string
  readonly class: BookClass
  readonly chainId: bigint
  readonly custodyContract: Address
  readonly tokenAddress: Address
  readonly settlementOperator: Address | null
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

const bookColumns = (sql: Sql) => sql`
  b.instance_id as "instanceId", b.class, b.chain_id as "chainId", b.custody_contract as "custodyContract",
  b.token_address as "tokenAddress", b.settlement_operator as "settlementOperator", b.base_decimals as "baseDecimals",
  b.quote_decimals as "quoteDecimals"`

export type SettlementOfBook = SettlementRow & SettledBook

const isOpen = (sql: Sql) => sql`s.status in ('PENDING', 'PROCESSING')`

/** Of the class that was asked. A party reads the settlement also when it may read the maker's book no more: `instanceId` is null then. */
export const findSettlement = (sql: Sql, settlementId: string, bookClass: BookClass) => sql<
  (SettlementRow & { readonly [K in keyof SettledBook]: SettledBook[K] | null })[]
>`
  select ${columns(sql)}, ${bookColumns(sql)} from settlements s left join order_books b on b.book_id = s.book_id
  where s.settlement_id = ${settlementId} and coalesce(b.class, ${bookClass}) = ${bookClass}`

export const listPending = (
  sql: Sql,
  instanceId: string,
  { bookClass, bookId, limit }: { bookClass: BookClass; bookId: string | null; limit: number },
) => sql<SettlementOfBook[]>`
  select ${columns(sql)}, ${bookColumns(sql)} from settlements s join order_books b on b.book_id = s.book_id
  where b.instance_id = ${instanceId} and b.class = ${bookClass} and ${isOpen(sql)}
    and (${bookId}::uuid is null or s.book_id = ${bookId}::uuid)
  order by s.created_at, s.settlement_id limit ${limit}`

/** Those that wait on one chain, oldest first, from one place on. For the operator's role. */
export const listOpen = (sql: Sql, chainId: number, after: string, limit: number) => sql<SettlementOfBook[]>`
  select ${columns(sql)}, ${bookColumns(sql)} from settlements s join order_books b on b.book_id = s.book_id
  where b.chain_id = ${chainId} and ${isOpen(sql)} and s.settlement_id > ${after}::uuid
  order by s.settlement_id limit ${limit}`

/** How many wait on one chain, and since when. For the operator's role. */
export const countOpen = (sql: Sql, chainId: number) => sql<{ count: number; oldest: Date | null }[]>`
  select count(*)::int as count, min(s.created_at) as oldest from settlements s join order_books b on b.book_id = s.book_id
  where b.chain_id = ${chainId} and ${isOpen(sql)}`

export interface SettledTradeRow {
  readonly tradeId: string
  readonly settlementId: string
  readonly number: bigint
  readonly price: bigint
  readonly quantity: bigint
  readonly makerQuoteFee: bigint
  readonly takerQuoteFee: bigint
  readonly makerOrderId: string
  readonly takerOrderId: string
  readonly status: 'PROCESSING' | 'CONFIRMED' | 'FAILED'
  readonly error: string | null
}

/** In the order they were made; `isWaiting`: only those that are neither settled nor failed. */
export const listTrades = (sql: Sql, settlementIds: readonly string[], isWaiting: boolean) => sql<SettledTradeRow[]>`
  select trade_id as "tradeId", settlement_id as "settlementId", number, price, quantity, maker_quote_fee as "makerQuoteFee",
    taker_quote_fee as "takerQuoteFee", maker_order_id as "makerOrderId", taker_order_id as "takerOrderId",
    settlement_status as status, settlement_error as error
  from trades where settlement_id = any(${[...settlementIds]}::text[]::uuid[]) and (not ${isWaiting} or settlement_status = 'PROCESSING')
  order by number`

/** A transaction is mined, and not final. A settlement that has ended meanwhile is left alone. */
export const markProcessing = (
  sql: Sql,
  settlementId: string,
  { txHash, blockNumber, gasUsed }: { txHash: string; blockNumber: bigint; gasUsed: bigint },
  now: Date,
) => sql`
  update settlements s set status = 'PROCESSING', tx_hash = ${txHash}, block_number = ${blockNumber.toString()}::bigint,
    gas_used = ${gasUsed.toString()}::numeric, error = null, updated_at = ${now}
  where s.settlement_id = ${settlementId} and ${isOpen(sql)}`

/** The block of its transaction is gone, and nobody mined it again. */
export const markPending = (sql: Sql, settlementId: string, txHash: string, now: Date) => sql`
  update settlements s set status = 'PENDING', tx_hash = null, block_number = null, gas_used = null, updated_at = ${now},
    error = 'BLOCK_LOST'
  where s.settlement_id = ${settlementId} and s.status = 'PROCESSING' and s.tx_hash = ${txHash}`

export const noteError = (sql: Sql, settlementId: string, error: string | null, now: Date) => sql`
  update settlements s set error = ${error}, updated_at = ${now}
  where s.settlement_id = ${settlementId} and ${isOpen(sql)} and s.error is distinct from ${error}`

export const noteChecked = (sql: Sql, settlementIds: readonly string[], block: bigint) => sql`
  update settlements s set checked_block = ${block.toString()}::bigint
  where s.settlement_id = any(${[...settlementIds]}::text[]::uuid[]) and ${isOpen(sql)}`
