import {
  type Amount,
  isAmount,
  isMultiple,
  isWhole,
  isWorthless,
  MAX_AMOUNT,
  notionalDown,
  plus,
  UNIT,
} from '../amounts.ts'
import type { Place } from '../commands.ts'
import type { Side } from '../terms.ts'
import type { Book } from '../unit/book.ts'
import { bestLevel, isReached, oppositeRows } from '../unit/ladder.ts'
import type { Order } from '../unit/order.ts'
import { feeDown } from './fees.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A product of quantity and price, far below what any fee could make too large: no rate is above a tenth. */
const CLEARLY_FITS = 2 ** 62 * UNIT

/** What speaks against an order, in the order a trader would mend it: its form, its size, its price, the market. */
export function gate(order: Order, command: Place, now: number): Refusal | null {
  const { book, side, price, quantity, terms } = order
  const { maxFee, postOnly, bandExempt } = terms
  if (book.status !== 'ACTIVE') return refuse('ORDER_BOOK_INACTIVE')
  const refusal = command.type === 'MARKET' ? gateMarketForm(order, command) : gateLimitForm(order, command)
  if (refusal) return refusal
  if (maxFee !== null && !isNotNegative(maxFee)) return refuse('VALIDATION_ERROR')
  if (command.expiresAt !== undefined && command.expiresAt <= now) return refuse('INVALID_ORDER_EXPIRY')
  if (command.type === 'MARKET') return gateQuantity(book, quantity) ?? gateDepth(book, side, quantity, now)
  return (
    gateQuantity(book, quantity) ??
    gatePrice(book, price, bandExempt) ??
    gateNotional(quantity, price, order.maxFeeBps, maxFee) ??
    (postOnly ? gatePostOnly(book, side, price, now) : null)
  )
}

const isNotNegative = (amount: Amount): boolean => isWhole(amount) && amount >= 0

function gateLimitForm({ book, terms }: Order, { price, budget }: Place): Refusal | null {
  const { postOnly, timeInForce } = terms
  if (price === undefined) return refuse('PRICE_REQUIRED')
  if (budget !== undefined) return refuse('VALIDATION_ERROR')
  if (postOnly && (timeInForce !== 'GTC' || book.auction !== null)) return refuse('VALIDATION_ERROR')
  return timeInForce === 'FOK' && book.auction !== null ? refuse('VALIDATION_ERROR') : null
}

function gateMarketForm({ book, terms, side }: Order, { price, budget }: Place): Refusal | null {
  if (book.auction !== null) return refuse('PRICE_REQUIRED')
  if (terms.postOnly || price !== undefined) return refuse('VALIDATION_ERROR')
  const isBudgetFit = budget === undefined || (side === 'BUY' && isNotNegative(budget))
  return isBudgetFit ? null : refuse('VALIDATION_ERROR')
}

export function gateQuantity({ rules }: Book, quantity: Amount): Refusal | null {
  const { lotSize, minOrderSize, maxOrderSize } = rules
  if (!isAmount(quantity)) return refuse('INVALID_QUANTITY')
  if (!isMultiple(quantity, lotSize)) return refuse('INVALID_QUANTITY', { step: lotSize })
  if (quantity < minOrderSize) return refuse('ORDER_TOO_SMALL')
  return maxOrderSize !== null && quantity > maxOrderSize ? refuse('ORDER_TOO_LARGE') : null
}

export function gatePrice({ rules, reference }: Book, price: Amount, isBandExempt: boolean): Refusal | null {
  if (!isAmount(price)) return refuse('INVALID_PRICE')
  if (!isMultiple(price, rules.tickSize)) return refuse('INVALID_PRICE', { step: rules.tickSize })
  if (isBandExempt || reference === null) return null
  const { price: referencePrice, lowerBound, upperBound, spreadBps } = reference
  if (lowerBound === null || upperBound === null || spreadBps === null) return null
  if (price >= lowerBound && price <= upperBound) return null
  return refuse('PRICE_OUTSIDE_BAND', { referencePrice, lowerBound, upperBound, spreadBps })
}

/** The cost with fee must fit an amount: then every sum that comes of it does. */
export function gateNotional(open: Amount, price: Amount, bps: number, maxFee: Amount | null): Refusal | null {
  if (isWorthless(open, price)) return refuse('ORDER_TOO_SMALL')
  if (maxFee === null && Number(open) * Number(price) < CLEARLY_FITS) return null
  const fee = feeDown(open, price, bps)
  if (plus(notionalDown(open, price), fee) > MAX_AMOUNT) return refuse('ORDER_TOO_LARGE')
  return maxFee !== null && fee > maxFee ? refuse('FEE_ABOVE_LIMIT') : null
}

export function gatePostOnly(book: Book, side: Side, price: Amount, now: number): Refusal | null {
  const best = bestLevel(oppositeRows(book.ladder, side), now)
  return best !== null && isReached(best, price) ? refuse('POST_ONLY_WOULD_CROSS') : null
}

function gateDepth(book: Book, side: Side, quantity: Amount, now: number): Refusal | null {
  const best = bestLevel(oppositeRows(book.ladder, side), now)
  if (best === null) return refuse('NO_LIQUIDITY')
  return isWorthless(quantity, best.price) ? refuse('ORDER_TOO_SMALL') : null
}
