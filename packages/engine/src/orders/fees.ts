import { type Amount, BPS, divideDown, exact, notionalDown, smaller, timesOverDown, UNIT } from '../amounts.ts'
import type { Book } from '../unit/book.ts'
import type { Order } from '../unit/order.ts'

export const makerRate = ({ rules }: Book, isMarketMaker: boolean): number =>
  isMarketMaker ? (rules.mmMakerRebateBps ?? rules.makerFeeBps) : rules.makerFeeBps

/** The most that an order accepted now can be charged, however its book changes later. */
export const highestRate = (book: Book, isMarketMaker: boolean): number =>
  Math.max(0, book.rules.takerFeeBps, makerRate(book, isMarketMaker))

/** Fee on a whole quantity at one price. */
export const feeDown = (quantity: Amount, price: Amount, bps: number): Amount =>
  notionalDown(timesOverDown(quantity, bps, BPS), price)

/**
 * Charges an order for a fill, in base, for the record. What is less than one unit is carried to its next fill, so an order
 * pays the same in one piece or in many.
 */
export function chargeBase(order: Order, quantity: Amount, bps: number): Amount {
  if (bps === 0) return 0
  if (typeof quantity === 'number') {
    const due = order.baseCarry + quantity * bps
    if (due <= Number.MAX_SAFE_INTEGER) {
      const base = due > 0 ? divideDown(due, BPS) : 0
      order.baseCarry = due - base * BPS
      return base
    }
  }
  const due = BigInt(order.baseCarry) + BigInt(quantity) * BigInt(bps)
  const base = due > 0n ? due / 10_000n : 0n
  order.baseCarry = Number(due - base * 10_000n)
  return exact(base)
}

/** The same in quote, as collected. A fill never costs more fee than its notional: a seller never owes. */
export function chargeQuote(order: Order, quantity: Amount, price: Amount, notional: Amount, base: Amount): Amount {
  const { maxFee } = order.terms
  const quote = chargeQuoteUpTo(notional, order, price, base)
  return maxFee === null ? quote : smaller(quote, feeShareDown(maxFee, quantity, order.placedQuantity))
}

function chargeQuoteUpTo(notional: Amount, order: Order, price: Amount, base: Amount): Amount {
  if (typeof base === 'number' && typeof price === 'number' && typeof notional === 'number') {
    const due = order.quoteCarry + base * price
    if (due <= Number.MAX_SAFE_INTEGER) {
      const quote = due > 0 ? Math.min(divideDown(due, UNIT), notional) : 0
      order.quoteCarry = due - quote * UNIT
      return quote
    }
  }
  const due = BigInt(order.quoteCarry) + BigInt(base) * BigInt(price)
  const quote = due > 0n ? smaller(exact(due / 1_000_000n), notional) : 0
  order.quoteCarry = Number(due - BigInt(quote) * 1_000_000n)
  return quote
}

/**
 * What a fill may cost of the fee that was signed for a whole order. By fill and not by what is left, so that it holds for
 * whichever fills are settled in the end.
 */
export const feeShareDown = (maxFee: Amount, quantity: Amount, whole: Amount): Amount =>
  timesOverDown(maxFee, quantity, whole)

/** What a maker is paid, in base: out of the taker's fee, never more, and only within one instance. */
export function rebateBase(maker: Order, taker: Order, quantity: Amount, bps: number, takerBase: Amount): Amount {
  if (maker.book.instance !== taker.book.instance) return 0
  return smaller(timesOverDown(quantity, -bps, BPS), takerBase)
}
