import {
  type Amount,
  type EngineEvent,
  minus,
  type OrderChanged,
  plus,
  type Trade,
  type TradeFailed,
} from '@tallystick/engine'
import { partyOf } from './party.rules.ts'
import type {
  DayRow,
  NewOrder,
  OrderChange,
  OrderRow,
  SettlementRow,
  SignedOrder,
  SignedOrderRow,
  TradeOutcome,
  TradeRow,
  UsedClientOrderId,
} from './unit-rows.rules.ts'

/** What the events of one command came to, for whoever asked for it. */
export interface Folded {
  readonly trades: readonly TradeRow[]
  readonly isSelfTradePrevented: boolean
  /** Orders that ended in it, oldest first. */
  readonly ended: readonly string[]
}

export interface FoldParts {
  readonly at: Date
  readonly newId: () => string
}

/** What one transaction can settle. */
const LARGEST_SETTLEMENT = 50

const TERMINAL = new Set(['FILLED', 'CANCELLED', 'EXPIRED'])

/** Gathers the events of a group of commands as rows: each order, trade and day once, however often it was touched. */
export function createFold({ at, newId }: FoldParts) {
  const orders = new Map<string, OrderRow>()
  const changes = new Map<string, OrderChange>()
  const days = new Map<string, DayRow>()
  const trades: TradeRow[] = []
  const clientOrderIds: UsedClientOrderId[] = []
  const settlements: SettlementRow[] = []
  const outcomes: TradeOutcome[] = []
  const signedOrders: SignedOrderRow[] = []
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
      mayHaveEnded: false,
    }
    changes.set(orderId, change)
    return change
  }

  function takeChange({ order, price, quantity, status, reason }: OrderChanged): void {
    const row = rowOf(order)
    row.price = price
    row.quantity = quantity
    row.status = status
    row.cancelReason = ('standingReason' in row ? row.standingReason : undefined) ?? reason
    row.updatedAt = at
  }

  /** One per maker's book and command: its owner settles. */
  function settlementOf(own: Map<string, SettlementRow>, bookId: string): string {
    const open = own.get(bookId)
    if (open && open.tradeCount < LARGEST_SETTLEMENT) {
      open.tradeCount += 1
      return open.settlementId
    }
    const settlement = { settlementId: newId(), bookId, tradeCount: 1, createdAt: at }
    own.set(bookId, settlement)
    settlements.push(settlement)
    return settlement.settlementId
  }

  /** What a failed trade filled is unfilled again, of orders that have ended too. */
  function takeFailure({ trade, origin, makerOrder, takerOrder, quantity, reason }: TradeFailed): void {
    outcomes.push({ number: trade, status: 'FAILED', error: reason })
    if (origin === 'RFQ') return
    for (const order of [makerOrder, takerOrder]) {
      const row = rowOf(order)
      row.filled = minus(row.filled, quantity)
      if ('mayHaveEnded' in row) row.mayHaveEnded = true
    }
  }

  function takeTrade(event: Trade, sequence: number, own: Map<string, SettlementRow>): TradeRow {
    const [maker, taker] = [partyOf(event.makerAccount), partyOf(event.takerAccount)]
    const row: TradeRow = {
      tradeId: newId(),
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
      quoteId: event.origin === 'RFQ' ? event.makerOrder : null,
      settlementId: event.staged ? settlementOf(own, event.book) : null,
      settlementStatus: event.staged ? 'PROCESSING' : null,
      createdAt: at,
    }
    trades.push(row)
    for (const order of event.origin === 'RFQ' ? [] : [event.makerOrder, event.takerOrder]) {
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
    settlements,
    outcomes,
    signedOrders,

    /** What a trader signed, under the id that the trade will know it by. */
    signed(orderId: string, order: SignedOrder): void {
      signedOrders.push({ ...order, orderId, createdAt: at })
    },

    /** Before the events of the command that places it. */
    placed(order: NewOrder, price: Amount | null, quantity: Amount, sequence: number): void {
      const { instanceId, accountId, clientOrderId, orderId, bookId, signed } = order
      // Field by field, here and wherever rows are made by the thousand: a spread costs many times as much.
      orders.set(orderId, {
        orderId,
        bookId,
        instanceId,
        accountId,
        holder: order.holder,
        clientOrderId,
        side: order.side,
        orderType: order.orderType,
        timeInForce: order.timeInForce,
        postOnly: order.postOnly,
        stpMode: order.stpMode,
        expiresAt: order.expiresAt,
        standingReason: order.standingReason,
        price,
        quantity,
        filled: 0,
        status: 'OPEN',
        cancelReason: order.standingReason ?? null,
        lockId: signed ? orderId : null,
        auctionId: null,
        sequence,
        createdAt: at,
        updatedAt: at,
      })
      if (signed) signedOrders.push({ ...signed, orderId, createdAt: at })
      if (clientOrderId !== null) clientOrderIds.push({ instanceId, accountId, clientOrderId, orderId })
      dayOf(bookId).orders += 1
    },

    take(events: readonly EngineEvent[], sequence: number): Folded {
      const own: TradeRow[] = []
      const ended: string[] = []
      const staged = new Map<string, SettlementRow>()
      let isSelfTradePrevented = false
      for (const event of events) {
        if (event.kind === 'trade') own.push(takeTrade(event, sequence, staged))
        if (event.kind === 'tradeSettled') outcomes.push({ number: event.trade, status: 'CONFIRMED', error: null })
        if (event.kind === 'tradeFailed') takeFailure(event)
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
