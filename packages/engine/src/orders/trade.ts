import { type Amount, less, minus, negative, notionalDown, plus, smaller } from '../amounts.ts'
import type { Trade } from '../events.ts'
import type { TradeOrigin } from '../terms.ts'
import { touch } from '../unit/levels-told.ts'
import type { Order } from '../unit/order.ts'
import { tell, type Unit } from '../unit/unit.ts'
import { chargeBase, chargeQuote, makerRate, rebateBase } from './fees.ts'

/** Fills two orders against each other. Says the trade; what becomes of the orders is told by the caller. */
export function fill(
  unit: Unit,
  maker: Order,
  taker: Order,
  quantity: Amount,
  price: Amount,
  notional: Amount,
  origin: TradeOrigin,
): void {
  const { baseCarry: makerBase, quoteCarry: makerQuote } = maker
  const { baseCarry: takerBase, quoteCarry: takerQuote } = taker
  const takerBps = Math.min(taker.book.rules.takerFeeBps, taker.maxFeeBps)
  const takerFee = chargeBase(taker, quantity, takerBps)
  const takerFeeQuote = takerBps === 0 ? 0 : chargeQuote(taker, quantity, price, notional, takerFee)
  const makerBps = Math.min(makerRate(maker.book, maker.terms.marketMaker), maker.maxFeeBps)
  let makerFee: Amount = 0
  let makerFeeQuote: Amount = 0
  if (makerBps < 0) {
    const paid = rebateBase(maker, taker, quantity, makerBps, takerFee)
    makerFee = negative(paid)
    makerFeeQuote = negative(smaller(notionalDown(paid, price), takerFeeQuote))
  } else if (makerBps > 0) {
    makerFee = chargeBase(maker, quantity, makerBps)
    makerFeeQuote = chargeQuote(maker, quantity, price, notional, makerFee)
  }

  const isBuy = taker.side === 'BUY'
  const buyerPays = plus(notional, isBuy ? takerFeeQuote : makerFeeQuote)
  const sellerGets = minus(notional, isBuy ? makerFeeQuote : takerFeeQuote)
  taker.reserved = less(taker.reserved, isBuy ? buyerPays : quantity)
  maker.reserved = less(maker.reserved, isBuy ? quantity : buyerPays)
  taker.remaining = less(taker.remaining, quantity)
  maker.remaining = less(maker.remaining, quantity)
  takeFromLevel(unit, maker, quantity)
  takeFromLevel(unit, taker, quantity)

  const staged = maker.book.staged || taker.book.staged
  const told: Trade = {
    kind: 'trade',
    trade: ++unit.trades,
    origin,
    book: maker.book.id,
    takerBook: maker.book === taker.book ? null : taker.book.id,
    makerOrder: maker.id,
    takerOrder: taker.id,
    makerAccount: maker.account,
    takerAccount: taker.account,
    side: taker.side,
    price,
    quantity,
    notional,
    makerFee,
    takerFee,
    makerFeeQuote,
    takerFeeQuote,
    buyerPays,
    sellerGets,
    staged,
  }
  tell(unit, told)
  if (!staged) return
  maker.unsettled += 1
  taker.unsettled += 1
  unit.unsettled.set(told.trade, {
    told,
    orders: { maker, taker },
    makerBaseCarry: maker.baseCarry - makerBase,
    makerQuoteCarry: maker.quoteCarry - makerQuote,
    takerBaseCarry: taker.baseCarry - takerBase,
    takerQuoteCarry: taker.quoteCarry - takerQuote,
  })
}

function takeFromLevel(unit: Unit, { level }: Order, quantity: Amount): void {
  if (level === null) return
  level.quantity = less(level.quantity, quantity)
  touch(unit, level)
}
