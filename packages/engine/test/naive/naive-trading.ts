import type { EndReason, OrderStatus } from '../../src/terms.ts'
import { charge, largestFeeFor, makerBps, worth } from './naive-money.ts'
import { finish, freeExcess, standInLine, tellChange } from './naive-orders.ts'
import {
  amountOf,
  band,
  isBetter,
  least,
  leftOf,
  type NaiveOrder,
  type NaiveState,
  otherSide,
  queueOf,
  venueOf,
} from './naive-state.ts'

export function ruleBetween(taker: NaiveOrder, maker: NaiveOrder): string | undefined {
  const own = taker.placed.vetoes?.find(({ account }) => account === maker.placed.account)
  const theirs = maker.placed.vetoes?.find(({ account }) => account === taker.placed.account)
  return (own ?? theirs)?.rule
}

export function tellSkipped(state: NaiveState, taker: NaiveOrder, maker: NaiveOrder, rule: string): void {
  state.events.push({ kind: 'skipped', takerOrder: taker.placed.order, makerOrder: maker.placed.order, rule })
}

/** The price beyond which an order does not go. */
function edgeOf({ price, placed, book }: NaiveOrder): bigint | null {
  if (price !== null) return price
  if (placed.bandExempt || book.reference === null || book.spread === null) return null
  const { lower, upper } = band(book.reference, book.spread)
  return placed.side === 'BUY' ? upper : lower
}

export function reachable(state: NaiveState, order: NaiveOrder): NaiveOrder[] {
  const side = otherSide(order.placed.side)
  const edge = edgeOf(order)
  const opposite = queueOf(state, venueOf(order.book), side)
  return opposite.filter(({ price }) => edge === null || price === edge || isBetter(side, price ?? 0n, edge))
}

export function trade(
  state: NaiveState,
  maker: NaiveOrder,
  taker: NaiveOrder,
  quantity: bigint,
  price: bigint,
  origin: string,
): void {
  const notional = worth(quantity, price)
  const takerFee = charge(taker, quantity, price, least(amountOf(taker.book.rules.takerFeeBps), taker.highestBps))
  const rate = least(makerBps(maker.book, maker.placed.marketMaker ?? false), maker.highestBps)
  let makerFee = charge(maker, quantity, price, rate)
  if (rate < 0n && maker.book.instance === taker.book.instance) {
    const base = least((quantity * -rate) / 10_000n, takerFee.feeBase)
    makerFee = { ...makerFee, feeBase: -base, feeQuote: -least(worth(base, price), takerFee.feeQuote) }
  }
  const isBuy = taker.placed.side === 'BUY'
  const buyerPays = notional + (isBuy ? takerFee : makerFee).feeQuote
  const sellerGets = notional - (isBuy ? makerFee : takerFee).feeQuote
  const staged = maker.book.staged || taker.book.staged
  state.tradeCount += 1
  const fill = { trade: state.tradeCount, quantity, price, isSettled: !staged }
  maker.fills.push({ ...fill, ...makerFee })
  taker.fills.push({ ...fill, ...takerFee })
  for (const order of [maker, taker]) order.reserved -= order.placed.side === 'BUY' ? buyerPays : quantity
  const terms = {
    trade: state.tradeCount,
    origin,
    book: maker.book.id,
    takerBook: maker.book === taker.book ? null : taker.book.id,
    makerOrder: maker.placed.order,
    takerOrder: taker.placed.order,
    makerAccount: maker.placed.account,
    takerAccount: taker.placed.account,
    side: taker.placed.side,
    price,
    quantity,
    notional,
    buyerPays,
  }
  if (staged) state.trades.push({ trade: state.tradeCount, orders: [maker, taker], buyerPays, quantity, terms })
  state.events.push({
    kind: 'trade',
    ...terms,
    makerFee: makerFee.feeBase,
    takerFee: takerFee.feeBase,
    makerFeeQuote: makerFee.feeQuote,
    takerFeeQuote: takerFee.feeQuote,
    sellerGets,
    staged,
  })
}

export function afterFill(state: NaiveState, order: NaiveOrder, price: bigint, status: OrderStatus): void {
  if (leftOf(order) === 0n) finish(state, order, 'FILLED', null)
  else if (worth(leftOf(order), price) === 0n) finish(state, order, 'CANCELLED', 'TOO_SMALL_TO_TRADE')
  else {
    order.status = status
    tellChange(state, order)
  }
}

/** Every maker in reach, one after the other, until the taker is done or must stop. */
function take(state: NaiveState, taker: NaiveOrder): EndReason | null {
  const mode = taker.placed.selfTradePrevention ?? 'NONE'
  let isPassingSomebody = false
  for (const maker of reachable(state, taker)) {
    if (leftOf(taker) === 0n) return null
    const price = maker.price ?? 0n
    const forbidden = ruleBetween(taker, maker)
    if (mode !== 'NONE' && maker.placed.account === taker.placed.account) {
      if (mode !== 'CANCEL_TAKER') finish(state, maker, 'CANCELLED', 'SELF_TRADE_PREVENTION')
      if (mode !== 'CANCEL_MAKER') return 'SELF_TRADE_PREVENTION'
    } else if (forbidden !== undefined) {
      tellSkipped(state, taker, maker, forbidden)
      isPassingSomebody = true
    } else {
      const quantity = least(leftOf(taker), leftOf(maker))
      if (worth(quantity, price) === 0n) return 'TOO_SMALL_TO_TRADE'
      if (!isFunded(taker, quantity, price)) return 'BUDGET_SPENT'
      trade(state, maker, taker, quantity, price, 'CLOB')
      afterFill(state, maker, price, 'PARTIALLY_FILLED')
    }
  }
  return isPassingSomebody && leftOf(taker) > 0n ? 'COUNTERPARTY_REFUSED' : null
}

function isFunded(taker: NaiveOrder, quantity: bigint, price: bigint): boolean {
  if (taker.price !== null || taker.placed.side === 'SELL') return true
  return worth(quantity, price) + largestFeeFor(taker, quantity, price) <= taker.reserved
}

/** An order that stands nowhere trades what it can, then rests or ends. */
export function come(state: NaiveState, order: NaiveOrder, tells: boolean): void {
  const before = leftOf(order)
  const stop = take(state, order)
  const left = leftOf(order)
  if (left === 0n) finish(state, order, 'FILLED', null)
  else if (stop !== null) finish(state, order, 'CANCELLED', stop)
  else if (order.price === null) finish(state, order, 'CANCELLED', 'MARKET_REMAINDER')
  else if (order.placed.timeInForce !== 'GTC') finish(state, order, 'CANCELLED', 'IOC_REMAINDER')
  else if (worth(left, order.price) === 0n) finish(state, order, 'CANCELLED', 'TOO_SMALL_TO_TRADE')
  else {
    standInLine(state, order)
    if (tells || left !== before) tellChange(state, order, 0n, freeExcess(order))
  }
}

export function comeBack(state: NaiveState, order: NaiveOrder, tells: boolean): void {
  order.turn = 0
  if (order.placed.postOnly && reachable(state, order).length > 0)
    finish(state, order, 'CANCELLED', 'POST_ONLY_WOULD_CROSS')
  else come(state, order, tells)
}

/** What would be filled at once, and the most it would cost. */
export function reach(state: NaiveState, order: NaiveOrder): { quantity: bigint; cost: bigint } {
  const mode = order.placed.selfTradePrevention ?? 'NONE'
  let [quantity, notional, last] = [0n, 0n, 0n]
  for (const maker of reachable(state, order)) {
    if (quantity === order.quantity) break
    const isOwn = mode !== 'NONE' && maker.placed.account === order.placed.account
    if (isOwn && mode !== 'CANCEL_MAKER') break
    if (isOwn || ruleBetween(order, maker) !== undefined) continue
    const part = least(order.quantity - quantity, leftOf(maker))
    const price = maker.price ?? 0n
    if (worth(part, price) === 0n) break
    quantity += part
    notional += worth(part, price)
    last = price
  }
  return { quantity, cost: notional + largestFeeFor(order, quantity, last) }
}
