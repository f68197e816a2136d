import { type BookRules, emptyHead } from '@tallystick/engine'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import type { TradingParts } from '../parts.ts'
import { insertUnit, nameUnit } from '../unit/index.ts'
import { ALWAYS_CONTINUOUS, type AuctionSettings, auctionColumns, auctionsFrom } from './auction-settings.ts'
import { alignAuction, requireClearable } from './auction-steps.ts'
import { asOrderBook, type BookClass, lotOf } from './book.rules.ts'
import {
  type BookWish,
  DEFAULT_RULES,
  referenceAfter,
  referenceColumns,
  ruleColumns,
  rulesFrom,
  rulesOf,
} from './book-settings.ts'
import * as store from './books.store.ts'
import { type FeedSettings, feedColumns, feedFrom, isFeedWish, NO_FEED } from './feed.rules.ts'

type BookRow = store.BookRow

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
  readonly underlyingIdentifier?: string
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

/** How a new book trades and where its reference price comes from. */
interface Sources {
  readonly rules: BookRules
  readonly auctions: AuctionSettings
  readonly feed: FeedSettings
}

/** What feeds and auctions, which stand above the books, are asked when one changes. */
export interface BookHooks {
  readonly feeds: {
    /** INVALID_CONFIG, with a sentence, when a book cannot be fed like this. */
    check(feed: FeedSettings): Promise<void>
  }
  readonly collected: {
    /** False: the running auction of the book cannot be cleared now. */
    prune(bookId: string): Promise<boolean>
  }
}

export function createBooksService({
  clock,
  random,
  units,
  feeds,
  collected,
}: Pick<TradingParts, 'clock' | 'random' | 'units'> & BookHooks) {
  const newAuctionId = () => newId(clock, random)

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

  function columnsOf(caller: Caller, wish: NewBook, sources: Sources, bookId: string, unitId: string, now: Date) {
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
      ...ruleColumns(sources.rules),
      ...referenceColumns(wish),
      ...auctionColumns(sources.auctions),
      ...feedColumns(sources.feed),
      created_at: now,
      updated_at: now,
    }
  }

  return {
    find,
    require,
    requireOffchain,

    /** Refuses settings that do not go together, before anybody signs anything for a book. */
    async requireSound(wish: BookWish & Pick<NewBook, 'class'>): Promise<void> {
      rulesFrom(wish, DEFAULT_RULES)
      auctionsFrom(wish, ALWAYS_CONTINUOUS, wish.class)
      await feeds.check(feedFrom(wish, NO_FEED))
    },

    /** The row, the owner's access, the unit and its first command, in one commit. */
    async create(tenant: TenantDatabase, caller: Caller, wish: NewBook) {
      const rules = rulesFrom(wish, { ...DEFAULT_RULES, lotSize: lotOf(wish.baseDecimals ?? null) })
      const auctions = auctionsFrom(wish, ALWAYS_CONTINUOUS, wish.class)
      const feed = feedFrom(wish, NO_FEED)
      await feeds.check(feed)
      const [bookId, now] = [newId(clock, random), clock.now()]
      const unitId = wish.unitId ?? bookId
      const columns = columnsOf(caller, wish, { rules, auctions, feed }, bookId, unitId, now)
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
              alignAuction(turn, bookId, { before: 'ACTIVE', after: 'ACTIVE' }, auctions, newAuctionId)
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
      const auctions = auctionsFrom(wish, row, row.class)
      const feed = isFeedWish(wish) ? feedFrom(wish, row) : undefined
      if (feed) await feeds.check(feed)
      const book = row.bookId
      const endsAuction = row.currentAuctionId !== null && auctions.tradingMode === 'CONTINUOUS'
      if (endsAuction && !(await collected.prune(book)))
        throw new AppError('INVALID_CONFIG', {
          detail: 'The token is paused: the running auction cannot be cleared now.',
        })
      try {
        await units.submit(tenant, row.unitId, {
          grant: caller.grant,
          looks: { instanceId, holders: [], clientOrderIds: [] },
          perform(turn) {
            const status = wish.status === undefined ? {} : { status: wish.status }
            const before = turn.book(book)?.status ?? row.status
            const change = { before, after: wish.status ?? before }
            requireClearable(turn, book, change.after, auctions)
            turn.execute({ kind: 'updateBook', at: 0, book, rules, ...status })
            const pooled = wish.allowSharedLiquidity
            if (pooled !== undefined) turn.execute({ kind: pooled ? 'pool' : 'unpool', at: 0, book })
            turn.changeBook(book, {
              ...ruleColumns(rules),
              ...referenceColumns(wish),
              ...auctionColumns(auctions),
              ...(feed ? feedColumns(feed) : {}),
              ...(wish.allowImport === undefined ? {} : { allow_import: wish.allowImport }),
              ...(pooled === undefined ? {} : { allow_shared_liquidity: pooled }),
              ...(wish.settlementOperator === undefined ? {} : { settlement_operator: wish.settlementOperator }),
              ...(wish.cfid === undefined ? {} : { cfid: wish.cfid }),
            })
            const reference = referenceAfter(row, wish)
            if (reference !== undefined) turn.execute({ kind: 'setReference', at: 0, book, ...reference })
            alignAuction(turn, book, change, auctions, newAuctionId)
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

export type BooksService = ReturnType<typeof createBooksService>
