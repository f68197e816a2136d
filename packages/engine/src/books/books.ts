import type { OpenBook, PoolBook, UpdateBook } from '../commands.ts'
import { end } from '../orders/order-states.ts'
import { type Refusal, refuse } from '../orders/refusal.ts'
import type { BookStatus } from '../terms.ts'
import { type Book, createBook } from '../unit/book.ts'
import { isLive } from '../unit/order.ts'
import { ordersOf, type Unit } from '../unit/unit.ts'
import { areValid, withChanges } from './book-rules.ts'
import { rehome, tellBook } from './rehome.ts'

export function openBook(unit: Unit, command: OpenBook): Refusal | null {
  if (unit.books.has(command.book)) return refuse('ORDER_BOOK_EXISTS')
  if (command.base === command.quote) return refuse('INVALID_PAIR')
  const rules = withChanges(command.rules, {})
  if (!areValid(rules)) return refuse('INVALID_CONFIG')
  if (command.pooled && !fitsPool(unit, command)) return refuse('POOL_MISMATCH')
  const book = createBook({ ...command, rules })
  unit.books.set(book.id, book)
  rehome(unit, book)
  tellBook(unit, book)
  return null
}

export function updateBook(unit: Unit, command: UpdateBook): Refusal | null {
  const book = unit.books.get(command.book)
  if (book === undefined) return refuse('ORDER_BOOK_NOT_FOUND')
  const rules = withChanges(book.rules, command.rules ?? {})
  if (!areValid(rules)) return refuse('INVALID_CONFIG')
  book.rules = rules
  setStatus(unit, book, command.status ?? book.status)
  return null
}

/** A paused book keeps its orders, out of the pool; a closed one ends them. */
export function setStatus(unit: Unit, book: Book, status: BookStatus): void {
  book.status = status
  if (status === 'CLOSED') {
    book.auction = null
    for (const order of ordersOf(unit, (order) => order.book === book && isLive(order)))
      end(unit, order, 'CANCELLED', 'ORDER_BOOK_CLOSED')
  }
  tellBook(unit, book)
  rehome(unit, book)
}

export function setPooled(unit: Unit, command: PoolBook): Refusal | null {
  const book = unit.books.get(command.book)
  if (book === undefined) return refuse('ORDER_BOOK_NOT_FOUND')
  const isWanted = command.kind === 'pool'
  if (isWanted && !fitsPool(unit, book)) return refuse('POOL_MISMATCH')
  book.pooled = isWanted
  tellBook(unit, book)
  rehome(unit, book)
  return null
}

/** Books of a pool trade the same pair: a fill moves one base token and one quote token. */
function fitsPool(unit: Unit, { base, quote }: Pick<Book, 'base' | 'quote'>): boolean {
  return [...unit.books.values()].every((book) => !book.pooled || (book.base === base && book.quote === quote))
}
