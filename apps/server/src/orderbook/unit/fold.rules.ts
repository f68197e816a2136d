import { type Amount, type EngineEvent, type OrderChanged, plus, type Trade } from '@tallystick/engine'
import { partyOf } from './party.rules.ts'
import type { DayRow, NewOrder, OrderChange, OrderRow, TradeRow, UsedClientOrderId } from './unit-rows.rules.ts'

/** What the events of one command came to, for whoever asked for it. */
export interface Folded {
  readonly trades: readonly TradeRow[]
  readonly isSelfTradePrevented: boolean
  /** Orders that ended in it, oldest first. */
  readonly ended: readonly string[]
}

export interface FoldParts {
  readonly at: Date
  readonly newTradeId: () => string
}

const TERMINAL = new Set(['FILLED', 'CANCELLED', 'EXPIRED'])

/** Gathers the events of a group of commands as rows: each order, trade and day once, however often it was touched. */
export function createFold({ at, newTradeId }: FoldParts) {
  const orders = new Map<string, OrderRow>()
  const changes = new Map<string, OrderChange>()
  const days = new Map<string, DayRow>()
  const trades: TradeRow[] = []
  const clientOrderIds: UsedClientOrderId[] = []
  const day = at.toISOString().slice(0, 10)

  function dayOf(bookId: string): DayRow {
    let row = days.get(bookId)
    if (!row) {
      row = {
        bookId,
        day,
        orders: 0,
        trades: 0,
        base: 0,
        quote: 0,
        high: null,
        low: null,
        open: null,
        close: null,
        at,
      }
      days.set(bookId, row)
    }
    return row
  }

  function rowOf(orderId: string): OrderRow | OrderChange {
    const known = orders.get(orderId) ?? changes.get(orderId)
    if (known) return known
    const change: OrderChange = {
      orderId,
      price: null,
      quantity: 0,
      filled: 0,
      status: 'OPEN',
      cancelReason: null,
      updatedAt: at,
    }
    changes.set(orderId, change)
    return change
  }

  function takeChange({ order, price, quantity, status, reason }: OrderChanged): void {
    const row = rowOf(order)
    row.price = price
    row.quantity = quantity
    row.status = status
    row.cancelReason = reason
    row.updatedAt = at
  }

  function takeTrade(event: Trade, sequence: number): TradeRow {
    const [maker, taker] = [partyOf(event.makerAccount), partyOf(event.takerAccount)]
    const row: TradeRow = {
      tradeId: newTradeId(),
      number: event.trade,
      sequence,
      origin: event.origin,
      makerBookId: event.book,
      takerBookId: event.takerBook ?? event.book,
      makerOrderId: event.makerOrder,
      takerOrderId: event.takerOrder,
      makerInstanceId: maker.instanceId,
      takerInstanceId: taker.instanceId,
      makerHolder: maker.holder,
      takerHolder: taker.holder,
      side: event.side,
      price: event.price,
      quantity: event.quantity,
      notional: event.notional,
      makerFee: event.makerFee,
      takerFee: event.takerFee,
      makerQuoteFee: event.makerFeeQuote,
      takerQuoteFee: event.takerFeeQuote,
      settlementId: null,
      settlementStatus: event.staged ? 'PROCESSING' : null,
      createdAt: at,
    }
    trades.push(row)
    for (const order of [event.makerOrder, event.takerOrder]) {
      const filled = rowOf(order)
      filled.filled = plus(filled.filled, event.quantity)
    }
    countTrade(dayOf(event.book), event)
    return row
  }

  function countTrade(row: DayRow, { price, quantity, notional }: Trade): void {
    row.trades += 1
    row.base = plus(row.base, quantity)
    row.quote = plus(row.quote, notional)
    row.high = row.high === null || price > row.high ? price : row.high
    row.low = row.low === null || price < row.low ? price : row.low
    row.open ??= price
    row.close = price
  }

  return {
    orders,
    changes,
    trades,
    days,
    clientOrderIds,

    /** Before the events of the command that places it. */
    placed(order: NewOrder, price: Amount | null, quantity: Amount, sequence: number): void {
      orders.set(order.orderId, {
        ...order,
        price,
        quantity,
        filled: 0,
        status: 'OPEN',
        cancelReason: null,
        sequence,
        createdAt: at,
        updatedAt: at,
      })
      const { instanceId, accountId, clientOrderId, orderId, bookId } = order
      if (clientOrderId !== null) clientOrderIds.push({ instanceId, accountId, clientOrderId, orderId })
      dayOf(bookId).orders += 1
    },

    take(events: readonly EngineEvent[], sequence: number): Folded {
      const own: TradeRow[] = []
      const ended: string[] = []
      let isSelfTradePrevented = false
      for (const event of events) {
        if (event.kind === 'trade') own.push(takeTrade(event, sequence))
        if (event.kind === 'accepted' && event.status !== 'OPEN') rowOf(event.order).status = event.status
        if (event.kind !== 'orderChanged') continue
        takeChange(event)
        if (TERMINAL.has(event.status)) ended.push(event.order)
        if (event.reason === 'SELF_TRADE_PREVENTION') isSelfTradePrevented = true
      }
      return { trades: own, isSelfTradePrevented, ended }
    },
  }
}

export type Fold = ReturnType<typeof createFold>
