import type { OpenBook, SetReference, UpdateBook } from '../../src/commands.ts'
import { checkRules } from './naive-checks.ts'
import { finish } from './naive-orders.ts'
import {
  band,
  bookBy,
  insist,
  inTurn,
  isQueued,
  isWaiting,
  MOST,
  type NaiveBook,
  type NaiveOrder,
  type NaiveState,
  venueOf,
} from './naive-state.ts'
import { comeBack } from './naive-trading.ts'

export function tellBook(state: NaiveState, { id, status, pooled, auction, rules }: NaiveBook): void {
  state.events.push({ kind: 'bookChanged', book: id, status, pooled, auction, rules: { ...rules } })
}

/** Changes a book, and brings its orders into the pool one by one if that is where they belong now. */
export function moving(state: NaiveState, book: NaiveBook, modify: () => void): void {
  const before = venueOf(book)
  modify()
  if (venueOf(book) === before || venueOf(book) !== 'POOL') return
  const own = inTurn(state, (order) => order.book === book && isQueued(order))
  for (const order of own) order.turn = 0
  for (const order of own) comeBack(state, order, false)
}

function setStatus(state: NaiveState, book: NaiveBook, status: NaiveBook['status']): void {
  moving(state, book, () => {
    book.status = status
    if (status === 'CLOSED') {
      book.auction = null
      for (const order of inTurn(state, (order) => order.book === book && isWaiting(order)))
        finish(state, order, 'CANCELLED', 'ORDER_BOOK_CLOSED')
    }
    tellBook(state, book)
  })
}

const fitsPool = ({ books }: NaiveState, pair: string): boolean =>
  books.every((book) => !book.pooled || book.pair === pair)

export function openBook(
  state: NaiveState,
  { book: id, instance, base, quote, staged, pooled, rules }: OpenBook,
): void {
  const pair = `${base}/${quote}`
  insist(!state.books.some((book) => book.id === id), 'ORDER_BOOK_EXISTS')
  insist(base !== quote, 'INVALID_PAIR')
  const own = inBigints(rules)
  checkRules(own)
  insist(!pooled || fitsPool(state, pair), 'POOL_MISMATCH')
  const nothingYet = { auction: null, reference: null, spread: null }
  const book: NaiveBook = { id, instance, pair, staged, rules: own, status: 'ACTIVE', pooled, ...nothingYet }
  state.books.push(book)
  tellBook(state, book)
}

function inBigints(rules: object): NaiveBook['rules'] {
  const entries = Object.entries(rules).map(([key, value]) => [key, typeof value === 'number' ? BigInt(value) : value])
  return Object.fromEntries(entries) as NaiveBook['rules']
}

export function updateBook(state: NaiveState, { book: id, status, rules }: UpdateBook): void {
  const book = bookBy(state, id)
  const changed = { ...book.rules, ...inBigints(rules ?? {}) }
  checkRules(changed)
  book.rules = changed
  setStatus(state, book, status ?? book.status)
}

export function setPooled(state: NaiveState, id: string, pooled: boolean): void {
  const book = bookBy(state, id)
  insist(!pooled || fitsPool(state, book.pair), 'POOL_MISMATCH')
  moving(state, book, () => {
    book.pooled = pooled
    tellBook(state, book)
  })
}

export function setReference(state: NaiveState, command: SetReference): void {
  const { price, spreadBps, circuitBreakerBps } = command
  const book = bookBy(state, command.book)
  insist(price === null || (price > 0 && price <= MOST), 'INVALID_PRICE')
  const before = book.reference
  book.reference = price === null ? null : BigInt(price)
  book.spread = price === null || spreadBps === undefined ? null : BigInt(spreadBps)
  const bounds = book.reference !== null && book.spread !== null ? band(book.reference, book.spread) : null
  const moved = before === null || book.reference === null ? 0n : book.reference - before
  const distance = (moved < 0n ? -moved : moved) * 10_000n
  const isBroken = before !== null && circuitBreakerBps !== undefined && distance > before * BigInt(circuitBreakerBps)
  state.events.push({
    kind: 'referenceChanged',
    book: book.id,
    price: book.reference,
    lowerBound: bounds?.lower ?? null,
    upperBound: bounds?.upper ?? null,
    brokenAtBps: isBroken ? distance / before : null,
  })
  if (isBroken && book.status === 'ACTIVE') setStatus(state, book, 'PAUSED')
  if (isBroken || before === null || bounds === null) return
  const isOutside = ({ price, placed }: NaiveOrder) =>
    !placed.bandExempt && price !== null && (price < bounds.lower || price > bounds.upper)
  for (const order of inTurn(state, (order) => order.book === book && isWaiting(order) && isOutside(order)))
    finish(state, order, 'CANCELLED', 'PRICE_BAND_VIOLATION')
}
