import { type Amount, type BookRules, emptyHead, exact } from '@tallystick/engine'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import type { OrderbookParts } from '../parts.ts'
import { insertUnit, nameUnit } from '../unit/unit.store.ts'
import { asOrderBook, type BookClass, lotOf, MAX_UNITS } from './book.rules.ts'
import * as store from './books.store.ts'

export type BookRow = store.BookRow

/** What an owner sends to create or change a book. */
export interface BookWish {
  readonly status?: 'ACTIVE' | 'PAUSED' | 'CLOSED'
  readonly minOrderSize?: string
  readonly maxOrderSize?: string | null
  readonly tickSize?: string
  readonly makerFeeBps?: number
  readonly takerFeeBps?: number
  readonly mmMakerRebateBps?: number | null
  readonly allowImport?: boolean
  readonly allowSharedLiquidity?: boolean
  readonly priceRefEnabled?: boolean
  readonly priceRefEnforcement?: string
  readonly priceRefSpreadBps?: number | null
  readonly priceRefHaltOnStale?: boolean
  readonly priceRefStaleTolerance?: number | null
  readonly priceRefCircuitBreakerBps?: number | null
}

/** Everything that is fixed when a book is created. */
export interface NewBook extends BookWish {
  readonly class: BookClass
  readonly tokenAddress: string
  readonly quoteTokenAddress: string
  readonly name: string
  readonly symbol: string
  readonly tokenType: 'STOCK_TOKEN' | 'LIGHT_TOKEN' | 'EXTERNAL_SECURITY'
  readonly settlementMode: 'ON_CHAIN' | 'OFF_CHAIN'
  readonly stockTokenId?: string
  readonly custodyContract?: string
  readonly settlementOperator?: string
  readonly underlyingIdentifier?: string
  readonly cfid?: string
  readonly baseDecimals?: number
  readonly quoteDecimals?: number
  /** Of the pool class; a book that can pool with nobody has none. */
  readonly unitId?: string
}

const OPEN_PAIR = 'order_books_one_open'

/** What the database says about a second open book on a pair, in our words. */
export function asBookFault(error: unknown): unknown {
  const { constraint_name: constraint } = error as { constraint_name?: string }
  return constraint === OPEN_PAIR ? new AppError('ORDER_BOOK_EXISTS') : error
}

export function requireAddressField(field: string, text: string): string {
  const address = parseAddress(text)
  if (!address)
    throw fieldError('VALIDATION_ERROR', [{ field, message: 'must be 0x and 40 hex digits with a valid checksum' }])
  return address
}

const amountOf = (text: string | undefined, fallback: Amount): Amount =>
  text === undefined ? fallback : exact(BigInt(text))

/** The rules that a wish leads to; INVALID_CONFIG when they do not go together. */
export function rulesFrom(wish: BookWish, before: BookRules): BookRules {
  const { maxOrderSize: most } = wish
  const rules = {
    ...before,
    minOrderSize: amountOf(wish.minOrderSize, before.minOrderSize),
    maxOrderSize: most === undefined ? before.maxOrderSize : most === null ? null : exact(BigInt(most)),
    tickSize: amountOf(wish.tickSize, before.tickSize),
    makerFeeBps: wish.makerFeeBps ?? before.makerFeeBps,
    takerFeeBps: wish.takerFeeBps ?? before.takerFeeBps,
    mmMakerRebateBps: wish.mmMakerRebateBps === undefined ? before.mmMakerRebateBps : wish.mmMakerRebateBps,
  }
  const refuse = (detail: string) => new AppError('INVALID_CONFIG', { detail })
  if (rules.tickSize === 0) throw refuse('tickSize must be above zero.')
  if (rules.maxOrderSize === 0) throw refuse('maxOrderSize must be above zero; null means that there is none.')
  if (rules.maxOrderSize !== null && rules.maxOrderSize < rules.minOrderSize)
    throw refuse('maxOrderSize must not be below minOrderSize.')
  for (const amount of [rules.tickSize, rules.minOrderSize, rules.maxOrderSize ?? 0])
    if (amount > MAX_UNITS) throw refuse('An amount is above 2^63-1.')
  return rules
}

export const DEFAULT_RULES: BookRules = {
  tickSize: 1,
  lotSize: 1,
  minOrderSize: 0,
  maxOrderSize: null,
  makerFeeBps: 0,
  takerFeeBps: 0,
  mmMakerRebateBps: null,
  rollUnmatched: true,
}

const rulesOf = (row: BookRow): BookRules => ({
  tickSize: exact(row.tickSize),
  lotSize: lotOf(row.baseDecimals),
  minOrderSize: exact(row.minOrderSize),
  maxOrderSize: row.maxOrderSize === null ? null : exact(row.maxOrderSize),
  makerFeeBps: row.makerFeeBps,
  takerFeeBps: row.takerFeeBps,
  mmMakerRebateBps: row.mmMakerRebateBps,
  rollUnmatched: row.auctionRollUnmatched,
})

const ruleColumns = (rules: BookRules) => ({
  min_order_size: rules.minOrderSize.toString(),
  max_order_size: rules.maxOrderSize?.toString() ?? null,
  tick_size: rules.tickSize.toString(),
  maker_fee_bps: rules.makerFeeBps,
  taker_fee_bps: rules.takerFeeBps,
  mm_maker_rebate_bps: rules.mmMakerRebateBps,
})

function referenceColumns(wish: BookWish): Record<string, unknown> {
  const columns: Record<string, unknown> = {
    price_ref_enabled: wish.priceRefEnabled,
    price_ref_enforcement: wish.priceRefEnforcement,
    price_ref_spread_bps: wish.priceRefSpreadBps,
    price_ref_halt_on_stale: wish.priceRefHaltOnStale,
    price_ref_stale_tolerance: wish.priceRefStaleTolerance,
    price_ref_circuit_breaker_bps: wish.priceRefCircuitBreakerBps,
    // Switching it off forgets the price.
    ...(wish.priceRefEnabled === false ? { price_ref_last_price: null, price_ref_last_updated: null } : {}),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

export function createBooksService({ clock, random, units }: OrderbookParts) {
  async function find(tenant: TenantDatabase, bookId: string): Promise<BookRow | undefined> {
    if (!isUuid(bookId)) return undefined
    const [row] = await tenant.read((sql) => store.readBook(sql, tenant.instanceId, bookId))
    return row
  }

  /** Own or imported, and of the class that was asked. */
  async function require(tenant: TenantDatabase, bookId: string, bookClass: BookClass): Promise<BookRow> {
    const row = await find(tenant, bookId)
    const isOfClass = row?.class === bookClass && (bookClass !== 'stocks' || row.tokenType === 'STOCK_TOKEN')
    if (!row || !isOfClass) throw new AppError('ORDER_BOOK_NOT_FOUND')
    return row
  }

  async function requireOffchain(tenant: TenantDatabase, bookId: string): Promise<BookRow> {
    const row = await find(tenant, bookId)
    if (!row) throw new AppError('ORDER_BOOK_NOT_FOUND')
    if (row.settlementMode !== 'OFF_CHAIN') throw new AppError('WRONG_SETTLEMENT_MODE')
    return row
  }

  function columnsOf(caller: Caller, wish: NewBook, rules: BookRules, bookId: string, unitId: string, now: Date) {
    return {
      instance_id: caller.instance.instanceId,
      book_id: bookId,
      unit_id: unitId,
      class: wish.class,
      chain_id: caller.instance.chainId,
      token_address: requireAddressField('tokenAddress', wish.tokenAddress),
      quote_token_address: requireAddressField('quoteTokenAddress', wish.quoteTokenAddress),
      name: wish.name,
      symbol: wish.symbol,
      status: 'ACTIVE',
      token_type: wish.tokenType,
      settlement_mode: wish.settlementMode,
      custody_contract: wish.custodyContract ?? null,
      settlement_operator: wish.settlementOperator ?? null,
      underlying_identifier: wish.underlyingIdentifier ?? null,
      stock_token_id: wish.stockTokenId ?? null,
      cfid: wish.cfid ?? null,
      base_decimals: wish.baseDecimals ?? null,
      quote_decimals: wish.quoteDecimals ?? null,
      allow_import: wish.allowImport ?? false,
      allow_shared_liquidity: wish.allowSharedLiquidity ?? false,
      ...ruleColumns(rules),
      ...referenceColumns(wish),
      created_at: now,
      updated_at: now,
    }
  }

  return {
    find,
    require,
    requireOffchain,

    /** The row, the owner's access, the unit and its first command, in one commit. */
    async create(tenant: TenantDatabase, caller: Caller, wish: NewBook) {
      const rules = rulesFrom(wish, { ...DEFAULT_RULES, lotSize: lotOf(wish.baseDecimals ?? null) })
      const [bookId, now] = [newId(clock, random), clock.now()]
      const unitId = wish.unitId ?? bookId
      const columns = columnsOf(caller, wish, rules, bookId, unitId, now)
      if (columns.token_address === columns.quote_token_address) throw new AppError('INVALID_PAIR')
      const { instanceId } = tenant
      try {
        await tenant.transaction(async (sql) => {
          await store.insertBook(sql, columns)
          await store.insertAccess(sql, instanceId, bookId, now)
          await nameUnit(sql, unitId)
          await insertUnit(sql, unitId, emptyHead(unitId).hash, now)
          await sql`select set_config('role', 'tally_api', true)`
          await units.runInside(sql, unitId, {
            grant: null,
            looks: { instanceId, holders: [], clientOrderIds: [] },
            perform(turn) {
              const { events } = turn.execute({
                kind: 'openBook',
                at: 0,
                book: bookId,
                instance: instanceId,
                base: columns.token_address,
                quote: columns.quote_token_address,
                rules,
                staged: wish.settlementMode === 'ON_CHAIN',
                pooled: columns.allow_shared_liquidity,
              })
              if (events[0]?.kind === 'refused') throw new AppError('INVALID_CONFIG', { detail: events[0].code })
              // Who joins a pool reads it, and is read by it.
              if (columns.allow_shared_liquidity) turn.changeBook(bookId, { allow_shared_liquidity: true })
            },
          })
        })
      } catch (error) {
        throw asBookFault(error)
      }
      const row = await find(tenant, bookId)
      if (!row) throw new Error('a book that was just created cannot be read')
      return asOrderBook(row)
    },

    /** Owner only. Status, rules and reference go through the unit, so that they have their place among the orders. */
    async update(tenant: TenantDatabase, caller: Caller, row: BookRow, wish: BookWish) {
      const { instanceId } = tenant
      if (row.instanceId !== instanceId) throw new AppError('ORDER_BOOK_NOT_FOUND')
      if (row.settlementMode === 'OFF_CHAIN' && (wish.allowImport || wish.allowSharedLiquidity))
        throw new AppError('INVALID_CONFIG', { detail: 'An off-chain book can neither be imported nor pooled.' })
      const rules = rulesFrom(wish, rulesOf(row))
      const book = row.bookId
      try {
        await units.submit(tenant, row.unitId, {
          grant: caller.grant,
          looks: { instanceId, holders: [], clientOrderIds: [] },
          perform(turn) {
            const status = wish.status === undefined ? {} : { status: wish.status }
            turn.execute({ kind: 'updateBook', at: 0, book, rules, ...status })
            const pooled = wish.allowSharedLiquidity
            if (pooled !== undefined) turn.execute({ kind: pooled ? 'pool' : 'unpool', at: 0, book })
            turn.changeBook(book, {
              ...ruleColumns(rules),
              ...referenceColumns(wish),
              ...(wish.allowImport === undefined ? {} : { allow_import: wish.allowImport }),
              ...(pooled === undefined ? {} : { allow_shared_liquidity: pooled }),
            })
            const reference = referenceAfter(row, wish)
            if (reference !== undefined) turn.execute({ kind: 'setReference', at: 0, book, ...reference })
          },
        })
      } catch (error) {
        throw asBookFault(error)
      }
      const changed = await find(tenant, book)
      if (!changed) throw new AppError('ORDER_BOOK_NOT_FOUND')
      return asOrderBook(changed)
    },

    async list(tenant: TenantDatabase, filter: store.BookFilter) {
      const rows = await tenant.read((sql) => store.listBooks(sql, tenant.instanceId, filter))
      return rows.map(asOrderBook)
    },

    async listOffchain(tenant: TenantDatabase, status: string | undefined) {
      const rows = await tenant.read((sql) => store.listOwnOffchain(sql, tenant.instanceId, status))
      return rows.map(asOrderBook)
    },
  }
}

/** The reference as the unit should have it after a change of the settings; undefined: as before. */
function referenceAfter(row: BookRow, wish: BookWish) {
  const { priceRefEnabled, priceRefSpreadBps, priceRefCircuitBreakerBps } = wish
  if (priceRefEnabled === false) return { price: null }
  if (row.priceRefLastPrice === null || (priceRefSpreadBps === undefined && priceRefCircuitBreakerBps === undefined))
    return undefined
  const spreadBps = priceRefSpreadBps === undefined ? row.priceRefSpreadBps : priceRefSpreadBps
  return { price: exact(row.priceRefLastPrice), ...(spreadBps === null ? {} : { spreadBps }) }
}

export type BooksService = ReturnType<typeof createBooksService>
