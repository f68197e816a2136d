import type { Order, OrderTerms } from './order.ts'
import type { Unit } from './unit.ts'

/** An order for the outside: without its neighbours in the queue. */
export type OrderView = Readonly<Omit<Order, 'book' | 'terms' | 'hash' | 'level' | 'previous' | 'next'>> &
  OrderTerms & { readonly book: string }

export function viewOrder(unit: Unit, id: string): OrderView | null {
  const order = unit.orders.find(id)
  return order === null ? null : toView(order)
}

export function toView({ hash, level, previous, next, book, terms, ...own }: Order): OrderView {
  return { ...own, ...terms, book: book.id }
}
