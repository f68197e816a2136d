import { type BookRules, emptyHead } from '@tallystick/engine'
import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import type { TradingParts } from '../parts.ts'
import { insertUnit, nameUnit } from '../unit/index.ts'
import { ALWAYS_CONTINUOUS, type AuctionSettings, auctionColumns, auctionsFrom } from './auction-settings.ts'
import { type AuctionLook, alignAuction, requireClearable } from './auction-steps.ts'
import { asOrderBook, type BookClass, lotOf } from './book.rules.ts'
import {
  type BookRequest,
  DEFAULT_RULES,
  referenceAfter,
  referenceColumns,
  ruleColumns,
  rulesFrom,
  rulesOf,
} from './book-settings.ts'
import * as store from './books.store.ts'
import { type FeedSettings, feedColumns, feedFrom, isFeedRequest, NO_FEED } from './feed.rules.ts'

type BookRow = store.BookRow

/** Everything that is fixed when a book is created. */
export interface NewBook extends BookRequest {
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
    /** Before the turn that clears the running auction of the book. */
    look(bookId: string): Promise<AuctionLook>
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

  function columnsOf(caller: Caller, request: NewBook, sources: Sources, bookId: string, unitId: string, now: Date) {
    return {
      instance_id: caller.instance.instanceId,
      book_id: bookId,
      unit_id: unitId,
      class: request.class,
      chain_id: caller.instance.chainId,
      token_address: requireAddressField('tokenAddress', request.tokenAddress),
      quote_token_address: requireAddressField('quoteTokenAddress', request.quoteTokenAddress),
      name: request.name,
      symbol: request.symbol,
      status: 'ACTIVE',
      token_type: request.tokenType,
      settlement_mode: request.settlementMode,
      custody_contract: request.custodyContract ?? null,
      settlement_operator: request.settlementOperator ?? null,
      underlying_identifier: request.underlyingIdentifier ?? null,
      stock_token_id: request.stockTokenId ?? null,
      cfid: request.cfid ?? null,
      base_decimals: request.baseDecimals ?? null,
      quote_decimals: request.quoteDecimals ?? null,
      allow_import: request.allowImport ?? false,
      allow_shared_liquidity: request.allowSharedLiquidity ?? false,
      ...ruleColumns(sources.rules),
      ...referenceColumns(request),
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
    async requireSound(request: BookRequest & Pick<NewBook, 'class'>): Promise<void> {
      rulesFrom(request, DEFAULT_RULES)
      auctionsFrom(request, ALWAYS_CONTINUOUS, request.class)
      await feeds.check(feedFrom(request, NO_FEED))
    },

    /** The row, the owner's access, the unit and its first command, in one commit. */
    async create(tenant: TenantDatabase, caller: Caller, request: NewBook) {
      const rules = rulesFrom(request, { ...DEFAULT_RULES, lotSize: lotOf(request.baseDecimals ?? null) })
      const auctions = auctionsFrom(request, ALWAYS_CONTINUOUS, request.class)
      const feed = feedFrom(request, NO_FEED)
      await feeds.check(feed)
      const [bookId, now] = [newId(clock, random), clock.now()]
      const unitId = request.unitId ?? bookId
      const columns = columnsOf(caller, request, { rules, auctions, feed }, bookId, unitId, now)
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
                staged: request.settlementMode === 'ON_CHAIN',
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
    async update(tenant: TenantDatabase, caller: Caller, row: BookRow, request: BookRequest) {
      const { instanceId } = tenant
      if (row.instanceId !== instanceId) throw new AppError('ORDER_BOOK_NOT_FOUND')
      if (row.settlementMode === 'OFF_CHAIN' && (request.allowImport || request.allowSharedLiquidity))
        throw new AppError('INVALID_CONFIG', { detail: 'An off-chain book can neither be imported nor pooled.' })
      const rules = rulesFrom(request, rulesOf(row))
      const auctions = auctionsFrom(request, row, row.class)
      const feed = isFeedRequest(request) ? feedFrom(request, row) : undefined
      if (feed) await feeds.check(feed)
      const book = row.bookId
      const endsAuction = row.currentAuctionId !== null && auctions.tradingMode === 'CONTINUOUS'
      const look = endsAuction ? await collected.look(book) : null
      try {
        await units.submit(tenant, row.unitId, {
          grant: caller.grant,
          looks: { instanceId, holders: [], clientOrderIds: [] },
          ...(look ? { alsoLooks: look.looks } : {}),
          perform(turn) {
            const status = request.status === undefined ? {} : { status: request.status }
            const before = turn.book(book)?.status ?? row.status
            const change = { before, after: request.status ?? before }
            requireClearable(turn, book, change.after, auctions)
            const waitsFor = look && turn.auction(book) && change.after === 'ACTIVE' ? look.waitsFor(turn) : null
            if (waitsFor)
              throw new AppError('INVALID_CONFIG', {
                detail: `${waitsFor}: the running auction cannot be cleared now.`,
              })
            turn.execute({ kind: 'updateBook', at: 0, book, rules, ...status })
            const pooled = request.allowSharedLiquidity
            if (pooled !== undefined) turn.execute({ kind: pooled ? 'pool' : 'unpool', at: 0, book })
            turn.changeBook(book, {
              ...ruleColumns(rules),
              ...referenceColumns(request),
              ...auctionColumns(auctions),
              ...(feed ? feedColumns(feed) : {}),
              ...(request.allowImport === undefined ? {} : { allow_import: request.allowImport }),
              ...(pooled === undefined ? {} : { allow_shared_liquidity: pooled }),
              ...(request.settlementOperator === undefined ? {} : { settlement_operator: request.settlementOperator }),
              ...(request.cfid === undefined ? {} : { cfid: request.cfid }),
            })
            const reference = referenceAfter(row, request)
            if (reference !== undefined) turn.execute({ kind: 'setReference', at: 0, book, ...reference })
            if (look && change.after === 'ACTIVE') look.prune(turn)
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
