import { newOrderErrors, type PlacedOrderRecord } from '@tallystick/wire'
import { AppError, fieldError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import type { Once } from '../../platform/once.ts'
import { type PageRequest, pageOf } from '../../platform/page.ts'
import { asOrderBook, type BookRow } from '../books/index.rules.ts'
import type { BooksService } from '../books/index.ts'
import { PAGE } from '../page-bounds.ts'
import type { TradingParts } from '../parts.ts'
import { asTrade } from '../reads/index.rules.ts'
import { readTrades, type TradesRequest, tape } from '../reads/index.ts'
import { accountOf, customerHolder, type Party } from '../unit/index.rules.ts'
import type { Turn } from '../unit/index.ts'
import { asOrder, asPlaced, asRefusedOrder, type OrderView } from './order.rules.ts'
import * as store from './orders.store.ts'
import { amendOrder, checkForm, type OrderRequest, placeOrder, requireTradable } from './placing.ts'

type BookPlace = Pick<BookRow, 'bookId' | 'unitId'>

export type BatchResult =
  | ({ readonly accepted: true } & PlacedOrderRecord)
  | { readonly accepted: false; readonly clientOrderId?: string; readonly error: { code: string; message: string } }

/** Own books are remembered: owner, unit and mode of a book never change. */
const REMEMBERED_BOOKS = 10_000

/** What stops a whole batch: it would stop every order of it. */
const OF_THE_BOOK = new Set([
  'ORDER_BOOK_NOT_FOUND',
  'TOKEN_NOT_REGISTERED',
  'PRICE_REF_STALE',
  'PRICE_REF_UNAVAILABLE',
])

export function createOrdersService(parts: TradingParts & { readonly books: BooksService }) {
  const { clock, random, units, books } = parts
  const remembered = new Map<string, BookPlace>()

  async function bookOf(tenant: TenantDatabase, bookId: string): Promise<BookPlace> {
    const key = `${tenant.instanceId} ${bookId}`
    const known = remembered.get(key)
    if (known) return known
    const row = await books.requireOffchain(tenant, bookId)
    const place = { bookId: row.bookId, unitId: row.unitId }
    if (remembered.size >= REMEMBERED_BOOKS) remembered.clear()
    // A transaction that is open still could be taken back, and the book with it.
    if (!tenant.joined) remembered.set(key, place)
    return place
  }

  async function orderOf(tenant: TenantDatabase, orderId: string, holder?: string): Promise<OrderView> {
    const [row] = isUuid(orderId) ? await tenant.read((sql) => store.readOrder(sql, tenant.instanceId, orderId)) : []
    if (!row || (holder !== undefined && row.holder !== holder)) throw new AppError('ORDER_NOT_FOUND')
    return row
  }

  /** As it is now. A transaction that is open has entered the lane, and sees all rows. */
  async function orderAfter(tenant: TenantDatabase, orderId: string): Promise<OrderView> {
    if (!tenant.joined) await units.settled(tenant.instanceId)
    return orderOf(tenant, orderId)
  }

  /** The unit of an own order: as it is remembered while the order rests, else by its row. */
  async function placeOf(
    tenant: TenantDatabase,
    orderId: string,
    party: Party,
  ): Promise<{ readonly orderId: string; readonly unitId: string }> {
    const resting = tenant.joined ? undefined : await units.restingOrder(tenant.instanceId, orderId)
    if (resting?.account === accountOf(party)) return { orderId, unitId: resting.unitId }
    await units.settled(tenant.instanceId)
    return orderOf(tenant, orderId, party.holder)
  }

  const partyOf = (tenant: TenantDatabase, customerRef: string): Party => ({
    instanceId: tenant.instanceId,
    holder: customerHolder(customerRef),
  })

  const looksOf = (tenant: TenantDatabase, requests: readonly { customerRef: string; clientOrderId?: string }[]) => ({
    instanceId: tenant.instanceId,
    holders: requests.map(({ customerRef }) => customerHolder(customerRef)),
    clientOrderIds: requests.flatMap(({ clientOrderId }) => clientOrderId ?? []),
  })

  async function ofUnit<T>(
    tenant: TenantDatabase,
    caller: Caller,
    { unitId }: Pick<BookPlace, 'unitId'>,
    requests: readonly { customerRef: string; clientOrderId?: string }[],
    perform: Parameters<typeof units.submit<T>>[2]['perform'],
    once?: Once,
  ): Promise<T> {
    const weight = Math.max(1, requests.length)
    return units.submit(tenant, unitId, {
      grant: caller.grant,
      looks: looksOf(tenant, requests),
      isOrder: true,
      once,
      weight,
      perform,
    })
  }

  return {
    async submit(
      tenant: TenantDatabase,
      caller: Caller,
      bookId: string,
      request: OrderRequest,
      once?: Once,
    ): Promise<PlacedOrderRecord> {
      checkForm(request)
      const book = await bookOf(tenant, bookId)
      const [party, orderId] = [partyOf(tenant, request.customerRef), newId(clock, random)]
      return ofUnit(
        tenant,
        caller,
        book,
        [request],
        (turn) => placeOrder(turn, requireTradable(turn, book.bookId, party), party, orderId, request),
        once,
      )
    },

    /** One commit for all of them; each is taken or refused for itself. */
    async submitBatch(
      tenant: TenantDatabase,
      caller: Caller,
      bookId: string,
      requests: readonly OrderRequest[],
      once?: Once,
    ) {
      const book = await bookOf(tenant, bookId)
      const ids = requests.map(() => newId(clock, random))
      const placeAll = (turn: Turn) => {
        const results = requests.map((request, index): BatchResult => {
          const party = partyOf(tenant, request.customerRef)
          const facts = requireTradable(turn, book.bookId, party)
          try {
            checkForm(request)
            return { accepted: true, ...placeOrder(turn, facts, party, ids[index] ?? '', request) }
          } catch (error) {
            if (!(error instanceof AppError) || OF_THE_BOOK.has(error.code)) throw error
            const named = request.clientOrderId === undefined ? {} : { clientOrderId: request.clientOrderId }
            return { accepted: false, ...named, error: asRefusedOrder(error, newOrderErrors) }
          }
        })
        const accepted = results.filter((result) => result.accepted).length
        return { accepted, refused: results.length - accepted, results }
      }
      return ofUnit(tenant, caller, book, requests, placeAll, once)
    },

    async cancel(tenant: TenantDatabase, caller: Caller, orderId: string, customerRef: string) {
      const party = partyOf(tenant, customerRef)
      const before = await placeOf(tenant, orderId, party)
      await ofUnit(tenant, caller, before, [{ customerRef }], (turn) => {
        if (!turn.order(before.orderId)) throw new AppError('ORDER_NOT_FOUND')
        turn.execute({ kind: 'cancel', at: 0, order: before.orderId, account: accountOf(party) })
      })
      return asOrder(await orderAfter(tenant, orderId))
    },

    async amend(
      tenant: TenantDatabase,
      caller: Caller,
      orderId: string,
      { customerRef, ...request }: { customerRef: string; price?: string; quantity?: string },
    ) {
      if (request.price === undefined && request.quantity === undefined)
        throw fieldError('VALIDATION_ERROR', [{ field: 'price', message: 'or quantity is required' }])
      const party = partyOf(tenant, customerRef)
      const before = await placeOf(tenant, orderId, party)
      const done = await ofUnit(tenant, caller, before, [{ customerRef }], (turn) =>
        amendOrder(turn, party, before.orderId, request),
      )
      return asPlaced(await orderAfter(tenant, orderId), done)
    },

    /** Book by book in the order that units are locked in. */
    async massCancel(
      tenant: TenantDatabase,
      caller: Caller,
      request: { customerRef?: string; orderBookId?: string; side?: 'BUY' | 'SELL' },
    ) {
      const { customerRef, orderBookId, side } = request
      if (customerRef === undefined && orderBookId === undefined)
        throw fieldError('VALIDATION_ERROR', [{ field: 'customerRef', message: 'or orderBookId is required' }])
      const holder = customerHolder(customerRef ?? '')
      await units.settled(tenant.instanceId)
      const targets =
        orderBookId === undefined
          ? await tenant.read((sql) => store.listRestingBooks(sql, tenant.instanceId, holder))
          : [await offchainBook(tenant, orderBookId)]
      const orderIds: string[] = []
      for (const { bookId, unitId } of targets) {
        const ended = await units.submit(tenant, unitId, {
          grant: caller.grant,
          looks: looksOf(tenant, []),
          isOrder: true,
          perform: (turn) =>
            turn.execute({
              kind: 'massCancel',
              at: 0,
              book: bookId,
              ...(customerRef === undefined ? {} : { account: accountOf(partyOf(tenant, customerRef)) }),
              ...(side === undefined ? {} : { side }),
            }).ended,
        })
        orderIds.push(...ended)
      }
      return { cancelled: orderIds.length, orderIds }
    },

    async get(tenant: TenantDatabase, orderId: string) {
      const row = await orderOf(tenant, orderId)
      const [book, trades] = await Promise.all([
        books.find(tenant, row.bookId),
        tenant.read((sql) => tape.listTradesOfOrder(sql, row.orderId)),
      ])
      if (!book) throw new AppError('ORDER_NOT_FOUND')
      return {
        ...asOrder(row),
        orderBook: asOrderBook(book),
        makerTrades: trades.filter(({ makerOrderId }) => makerOrderId === row.orderId).map(asTrade),
        takerTrades: trades.filter(({ takerOrderId }) => takerOrderId === row.orderId).map(asTrade),
      }
    },

    async listOfCustomer(
      tenant: TenantDatabase,
      customerRef: string,
      query: { orderBookId?: string | undefined; status?: string | undefined } & PageRequest,
    ) {
      const page = pageOf(query, PAGE)
      const { orderBookId = null, status = null } = query
      if (orderBookId !== null && !isUuid(orderBookId)) return { orders: [], total: 0, ...page }
      const filter = { holder: customerHolder(customerRef), bookId: orderBookId, status }
      const [rows, [counted]] = await Promise.all([
        tenant.read((sql) => store.listOrders(sql, tenant.instanceId, filter, page)),
        tenant.read((sql) => store.countOrders(sql, tenant.instanceId, filter)),
      ])
      return { orders: rows.map(asOrder), total: counted?.total ?? 0, ...page }
    },

    async tradesOfCustomer(tenant: TenantDatabase, customerRef: string, query: TradesRequest) {
      const whose = { instanceId: tenant.instanceId, holder: customerHolder(customerRef), bookClass: null }
      return (await readTrades(tenant, query, tape.tradesOfHolder(whose))).shown
    },
  }

  async function offchainBook(tenant: TenantDatabase, bookId: string): Promise<BookRow> {
    const row = await books.find(tenant, bookId)
    if (row?.settlementMode !== 'OFF_CHAIN') throw new AppError('ORDER_BOOK_NOT_FOUND')
    return row
  }
}

export type OrdersService = ReturnType<typeof createOrdersService>
