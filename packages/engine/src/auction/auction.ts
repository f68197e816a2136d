import { isWorthless } from '../amounts.ts'
import { comeBack, rehome, tellBook } from '../books/rehome.ts'
import type { CancelAuction, OpenAuction, Uncross } from '../commands.ts'
import { collect, end, releaseExcess, tellChange, withdraw } from '../orders/order-states.ts'
import { type Refusal, refuse } from '../orders/refusal.ts'
import type { Book } from '../unit/book.ts'
import { isResting } from '../unit/order.ts'
import { ordersOf, tell, type Unit } from '../unit/unit.ts'
import { allocate } from './allocate.ts'
import { clearingPrice } from './clearing-price.ts'

/** From now on the book collects orders; those that rest take part, in their old order. */
export function openAuction(unit: Unit, command: OpenAuction): Refusal | null {
  const book = unit.books.get(command.book)
  if (book === undefined) return refuse('ORDER_BOOK_NOT_FOUND')
  if (book.status !== 'ACTIVE') return refuse('ORDER_BOOK_INACTIVE')
  if (book.auction !== null) return refuse('AUCTION_OPEN')
  book.auction = command.auction
  tellBook(unit, book)
  rehome(unit, book)
  for (const order of ordersOf(unit, (order) => order.book === book && isResting(order))) {
    withdraw(unit, order)
    collect(unit, order)
    tellChange(unit, order, 0, 0)
  }
  return null
}

/** Trades what was collected at the one price that trades most. */
export function uncross(unit: Unit, command: Uncross): Refusal | null {
  const book = unit.books.get(command.book)
  if (book === undefined) return refuse('ORDER_BOOK_NOT_FOUND')
  if (book.status !== 'ACTIVE') return refuse('ORDER_BOOK_INACTIVE')
  if (book.auction === null) return refuse('AUCTION_NOT_OPEN')
  const orders = [...book.pending]
  const clearing = clearingPrice(orders, book.reference?.price ?? null)
  const volume = clearing === null ? 0 : allocate(unit, orders, clearing.price)
  const price = volume === 0 ? null : (clearing?.price ?? null)
  tell(unit, {
    kind: 'auctionEnded',
    book: book.id,
    auction: book.auction,
    outcome: 'CLEARED',
    price,
    volume,
    orders: orders.length,
  })
  moveOn(unit, book, command.next ?? null)
  return null
}

export function cancelAuction(unit: Unit, command: CancelAuction): Refusal | null {
  const book = unit.books.get(command.book)
  if (book === undefined) return refuse('ORDER_BOOK_NOT_FOUND')
  if (book.status !== 'ACTIVE') return refuse('ORDER_BOOK_INACTIVE')
  if (book.auction === null) return refuse('AUCTION_NOT_OPEN')
  const { id, auction, pending } = book
  const orders = pending.size
  tell(unit, { kind: 'auctionEnded', book: id, auction, outcome: 'CANCELLED', price: null, volume: 0, orders })
  moveOn(unit, book, null)
  return null
}

/** What is left of the orders: to the next auction, to the continuous book, or nowhere. */
function moveOn(unit: Unit, book: Book, next: string | null): void {
  book.auction = next
  tellBook(unit, book)
  rehome(unit, book)
  for (const order of [...book.pending]) {
    const { price, remaining, terms } = order
    if (isWorthless(remaining, price)) end(unit, order, 'CANCELLED', 'TOO_SMALL_TO_TRADE')
    else if (terms.timeInForce !== 'GTC') end(unit, order, 'CANCELLED', 'IOC_REMAINDER')
    else if (!book.rules.rollUnmatched) end(unit, order, 'CANCELLED', 'AUCTION_UNMATCHED')
    else if (next === null) {
      withdraw(unit, order)
      comeBack(unit, order, true)
    } else {
      const released = releaseExcess(order)
      if (released > 0) tellChange(unit, order, 0, released)
    }
  }
}
