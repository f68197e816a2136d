import { AppError } from '../../platform/app-error.ts'
import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { type PageRequest, pageOf } from '../../platform/page.ts'
import { asOrderBook, type BookClass } from '../books/index.rules.ts'
import type { BooksService } from '../books/index.ts'
import { asOrder, type OrderView } from '../orders/index.rules.ts'
import { PAGE } from '../page-bounds.ts'
import type { TradingParts } from '../parts.ts'
import { asTrade } from '../reads/index.rules.ts'
import { readTrades, type TradesRequest, tape } from '../reads/index.ts'
import type { SignedRows } from './signed-rows.ts'
import * as store from './user-orders.store.ts'

const LONGEST_ID = 100

export interface UserOrdersParts extends Pick<TradingParts, 'clock'> {
  readonly books: BooksService
  readonly rows: SignedRows
}

/** Orders and trades of wallets, for the instance that placed them. */
export function createUserOrdersService({ clock, books, rows }: UserOrdersParts) {
  async function find(tenant: TenantDatabase, bookClass: BookClass, orderId: string): Promise<OrderView> {
    const now = clock.now()
    const [row] = isUuid(orderId)
      ? await tenant.read((sql) => store.readOrder(sql, tenant.instanceId, bookClass, orderId, now))
      : []
    if (!row) throw new AppError('ORDER_NOT_FOUND')
    return row
  }

  /** Each book once, however many rows are on it. */
  async function booksOf(tenant: TenantDatabase, bookIds: readonly string[]) {
    const found = await Promise.all([...new Set(bookIds)].map((bookId) => books.find(tenant, bookId)))
    const known = new Map(found.flatMap((row) => (row ? [[row.bookId, asOrderBook(row)] as const] : [])))
    return (bookId: string) => known.get(bookId) ?? null
  }

  return {
    find,

    async get(tenant: TenantDatabase, bookClass: BookClass, orderId: string) {
      const row = await find(tenant, bookClass, orderId)
      const [bookOf, trades, signed] = await Promise.all([
        booksOf(tenant, [row.bookId]),
        tenant.read((sql) => tape.listTradesOfOrder(sql, row.orderId)),
        rows.ofOrders(tenant, row.unitId, [row.orderId]),
      ])
      return {
        ...asOrder(row),
        orderBook: bookOf(row.bookId),
        orderHash: signed.get(row.orderId)?.hash ?? null,
        makerTrades: trades.filter(({ makerOrderId }) => makerOrderId === row.orderId).map(asTrade),
        takerTrades: trades.filter(({ takerOrderId }) => takerOrderId === row.orderId).map(asTrade),
      }
    },

    async listOrders(
      tenant: TenantDatabase,
      bookClass: BookClass,
      userAddress: string,
      query: { orderBookId?: string | undefined; status?: string | undefined } & PageRequest,
    ) {
      const holder = requireAddressField('userAddress', userAddress)
      const page = pageOf(query, PAGE)
      const { orderBookId, status = null } = query
      const wanted = orderBookId !== undefined && orderBookId.length <= LONGEST_ID ? orderBookId : null
      if (wanted !== null) await books.require(tenant, wanted, bookClass)
      const filter = { class: bookClass, holder, bookId: wanted, status }
      const now = clock.now()
      const [found, [counted]] = await Promise.all([
        tenant.read((sql) => store.listOrders(sql, tenant.instanceId, filter, page, now)),
        tenant.read((sql) => store.countOrders(sql, tenant.instanceId, filter, now)),
      ])
      const bookOf = await booksOf(
        tenant,
        found.map(({ bookId }) => bookId),
      )
      const orders = found.map((row) => ({ ...asOrder(row), orderBook: bookOf(row.bookId) }))
      return { orders, total: counted?.total ?? 0, ...page }
    },

    async listTrades(tenant: TenantDatabase, bookClass: BookClass, userAddress: string, query: TradesRequest) {
      const holder = requireAddressField('userAddress', userAddress)
      const whose = { instanceId: tenant.instanceId, holder, bookClass }
      const { rows: found, shown } = await readTrades(tenant, query, tape.tradesOfHolder(whose))
      const bookIdOf = (trade: tape.TradeView) => (trade.makerHolder === holder ? trade.makerBookId : trade.takerBookId)
      const bookOf = await booksOf(tenant, found.map(bookIdOf))
      const trades = found.map((row) => ({ ...asTrade(row), orderBook: bookOf(bookIdOf(row)) }))
      return { ...shown, trades }
    },
  }
}

export type UserOrdersService = ReturnType<typeof createUserOrdersService>
