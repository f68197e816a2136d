import { type Amount, absolute, exact, isAmount, minus } from '../amounts.ts'
import type { SetReference } from '../commands.ts'
import { end } from '../orders/order-states.ts'
import { type Refusal, refuse } from '../orders/refusal.ts'
import type { Book, Reference } from '../unit/book.ts'
import { isLive, type Order } from '../unit/order.ts'
import { ordersOf, tell, type Unit } from '../unit/unit.ts'
import { setStatus } from './books.ts'

/** A new reference price. The first one only marks the band; a later one ends orders outside, or pauses the book. */
export function setReference(unit: Unit, command: SetReference): Refusal | null {
  const book = unit.books.get(command.book)
  if (book === undefined) return refuse('ORDER_BOOK_NOT_FOUND')
  if (command.price !== null && !isAmount(command.price)) return refuse('INVALID_PRICE')
  const before = book.reference
  book.reference = command.price === null ? null : referenceOf(exact(command.price), command.spreadBps ?? null)
  const { price, lowerBound, upperBound } = book.reference ?? { price: null, lowerBound: null, upperBound: null }
  const moved = before === null || price === null ? 0n : BigInt(absolute(minus(price, before.price))) * 10_000n
  const isBroken =
    before !== null &&
    command.circuitBreakerBps !== undefined &&
    moved > BigInt(before.price) * BigInt(command.circuitBreakerBps)
  const brokenAtBps = isBroken ? Number(moved / BigInt(before.price)) : null
  tell(unit, { kind: 'referenceChanged', book: book.id, price, lowerBound, upperBound, brokenAtBps })
  if (isBroken && book.status === 'ACTIVE') setStatus(unit, book, 'PAUSED')
  else if (!isBroken && before !== null) sweep(unit, book)
  return null
}

function referenceOf(price: Amount, spreadBps: number | null): Reference {
  if (spreadBps === null) return { price, spreadBps, lowerBound: null, upperBound: null }
  const spread = BigInt(spreadBps)
  // Both ends are inside: up to the first whole price, down to the last.
  const lowerBound = exact((BigInt(price) * (10_000n - spread) + 9_999n) / 10_000n)
  return { price, spreadBps, lowerBound, upperBound: exact((BigInt(price) * (10_000n + spread)) / 10_000n) }
}

function sweep(unit: Unit, book: Book): void {
  const { lowerBound = null, upperBound = null } = book.reference ?? {}
  if (lowerBound === null || upperBound === null) return
  const isOutside = ({ book: own, price, terms }: Order) =>
    own === book && !terms.bandExempt && (price < lowerBound || price > upperBound)
  for (const order of ordersOf(unit, (order) => isLive(order) && isOutside(order)))
    end(unit, order, 'CANCELLED', 'PRICE_BAND_VIOLATION')
}
