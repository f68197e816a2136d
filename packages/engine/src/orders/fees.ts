import {
  type Amount,
  BPS,
  divideDown,
  exact,
  negative,
  notionalDown,
  smaller,
  timesOverDown,
  UNIT,
} from '../amounts.ts'
import type { Book } from '../unit/book.ts'
import type { Order } from '../unit/order.ts'

export interface Fee {
  /** For the record. */
  readonly base: Amount
  /** As collected. */
  readonly quote: Amount
}

export const NO_FEE: Fee = { base: 0, quote: 0 }

export const makerRate = ({ rules }: Book, isMarketMaker: boolean): number =>
  isMarketMaker ? (rules.mmMakerRebateBps ?? rules.makerFeeBps) : rules.makerFeeBps

/** The most that an order accepted now can be charged, however its book changes later. */
export const highestRate = (book: Book, isMarketMaker: boolean): number =>
  Math.max(0, book.rules.takerFeeBps, makerRate(book, isMarketMaker))

/** Fee on a whole quantity at one price. */
export const feeDown = (quantity: Amount, price: Amount, bps: number): Amount =>
  notionalDown(timesOverDown(quantity, bps, BPS), price)

/**
 * Charges an order for a fill. What is less than one unit is carried to its next fill, so an order pays the same in one
 * piece or in many. A fill never costs more fee than its notional: a seller never owes.
 */
export function chargeFee(order: Order, quantity: Amount, price: Amount, notional: Amount, bps: number): Fee {
  if (bps === 0) return NO_FEE
  const fee =
    chargeInNumbers(order, quantity, price, notional, bps) ?? chargeInBigints(order, quantity, price, notional, bps)
  if (order.maxFee === null) return fee
  return { base: fee.base, quote: smaller(fee.quote, feeShareDown(order.maxFee, quantity, order.placedQuantity)) }
}

/**
 * What a fill may cost of the fee that was signed for a whole order. By fill and not by what is left, so that it holds for
 * whichever fills are settled in the end.
 */
export const feeShareDown = (maxFee: Amount, quantity: Amount, whole: Amount): Amount =>
  timesOverDown(maxFee, quantity, whole)

/** The usual case. Null, with nothing done, where a figure is not exact as a number. */
function chargeInNumbers(order: Order, quantity: Amount, price: Amount, notional: Amount, bps: number): Fee | null {
  if (typeof quantity === 'bigint' || typeof price === 'bigint' || typeof notional === 'bigint') return null
  const baseDue = order.baseCarry + quantity * bps
  const base = baseDue > 0 ? divideDown(baseDue, BPS) : 0
  const quoteDue = order.quoteCarry + base * price
  if (baseDue > Number.MAX_SAFE_INTEGER || quoteDue > Number.MAX_SAFE_INTEGER) return null
  const quote = quoteDue > 0 ? Math.min(divideDown(quoteDue, UNIT), notional) : 0
  order.baseCarry = baseDue - base * BPS
  order.quoteCarry = quoteDue - quote * UNIT
  return { base, quote }
}

function chargeInBigints(order: Order, quantity: Amount, price: Amount, notional: Amount, bps: number): Fee {
  const baseDue = BigInt(order.baseCarry) + BigInt(quantity) * BigInt(bps)
  const base = baseDue > 0n ? baseDue / 10_000n : 0n
  const quoteDue = BigInt(order.quoteCarry) + base * BigInt(price)
  const quote = quoteDue > 0n ? smaller(exact(quoteDue / 1_000_000n), notional) : 0
  order.baseCarry = Number(baseDue - base * 10_000n)
  order.quoteCarry = Number(quoteDue - BigInt(quote) * 1_000_000n)
  return { base: exact(base), quote }
}

/** What a maker is paid, as a negative fee: out of the taker's fee, never more, and only within one instance. */
export function rebate(maker: Order, taker: Order, quantity: Amount, price: Amount, bps: number, takerFee: Fee): Fee {
  if (maker.book.instance !== taker.book.instance) return NO_FEE
  const base = smaller(timesOverDown(quantity, -bps, BPS), takerFee.base)
  const quote = smaller(notionalDown(base, price), takerFee.quote)
  return { base: negative(base), quote: negative(quote) }
}
