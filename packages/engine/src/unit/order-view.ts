import type { Order } from './order.ts'
import type { Unit } from './unit.ts'

/** An order for the outside: without its neighbours in the queue. */
export type OrderView = Readonly<Omit<Order, 'book' | 'hash' | 'level' | 'previous' | 'next'>> & {
  readonly book: string
}

export function viewOrder(unit: Unit, id: string): OrderView | null {
  const order = unit.orders.find(id)
  return order === null ? null : toView(order)
}

export function toView({ hash, level, previous, next, book, ...own }: Order): OrderView {
  return { ...own, book: book.id }
}
