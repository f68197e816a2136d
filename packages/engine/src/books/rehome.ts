import { gatePostOnly } from '../orders/gate.ts'
import { enter } from '../orders/matching.ts'
import { end, withdraw } from '../orders/order-states.ts'
import { type Book, isPooling } from '../unit/book.ts'
import { append, levelAt, ownRows } from '../unit/ladder.ts'
import { touch } from '../unit/levels-told.ts'
import { isResting, type Order } from '../unit/order.ts'
import { ordersOf, tell, type Unit } from '../unit/unit.ts'

export function tellBook(unit: Unit, { id, status, pooled, auction, rules }: Book): void {
  tell(unit, { kind: 'bookChanged', book: id, status, pooled, auction, rules })
}

/** Moves the resting orders of a book into the pool or out of it, when what it is says so. */
export function rehome(unit: Unit, book: Book): void {
  const ladder = isPooling(book) ? unit.pool : book.ownLadder
  if (book.ladder === ladder) return
  const orders = ordersOf(unit, (order) => order.book === book && isResting(order))
  for (const order of orders) withdraw(unit, order)
  book.ladder = ladder
  if (ladder === unit.pool) for (const order of orders) comeBack(unit, order, false)
  else for (const order of orders) stand(unit, order)
}

/** Out of the pool an order keeps its turn: what was not crossed among all is not crossed among few. */
function stand(unit: Unit, order: Order): void {
  const level = levelAt(ownRows(order.book.ladder, order.side), order.price)
  append(level, order)
  touch(unit, level)
}

/** An order that comes to depth which did not know it: behind what is there, as a taker where it crosses. */
export function comeBack(unit: Unit, order: Order, mustTell: boolean): void {
  const { book, side, price, terms } = order
  if (terms.postOnly && gatePostOnly(book, side, price, unit.now))
    end(unit, order, 'CANCELLED', 'POST_ONLY_WOULD_CROSS')
  else enter(unit, order, mustTell)
}
