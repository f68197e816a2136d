import { type Amount, exact } from '../amounts.ts'
import type { Place } from '../commands.ts'
import type { Order } from '../unit/order.ts'
import { hashOf } from '../unit/order-table.ts'
import { tell, timeOf, type Unit } from '../unit/unit.ts'
import { createOrder } from './create-order.ts'
import { gate } from './gate.ts'
import { enter } from './matching.ts'
import { collect, end } from './order-states.ts'
import { reachOf } from './reach.ts'
import { type Refusal, refuse } from './refusal.ts'
import { reservationNeeded } from './reservation.ts'

export function place(unit: Unit, command: Place): Refusal | null {
  const order = draftOrder(unit, command)
  if ('code' in order) return order
  const { id, book, account, side, reserved } = order
  const isFillable = order.terms.timeInForce !== 'FOK' || isFillableAtOnce(order, unit.now)
  order.born = ++unit.born
  unit.orders.add(order)
  if (order.terms.expiresAt !== 0) unit.expiry.add(order)
  const status = book.auction === null ? 'OPEN' : 'AUCTION_PENDING'
  tell(unit, { kind: 'accepted', order: id, book: book.id, account, side, status, reserved })
  if (book.auction !== null) collect(unit, order)
  else if (isFillable) enter(unit, order, false)
  else end(unit, order, 'CANCELLED', 'FOK_UNFILLED')
  return null
}

/** The order as it would come in, with what it needs reserved, or why it is refused. Changes nothing. */
export function draftOrder(unit: Unit, command: Place): Order | Refusal {
  const now = timeOf(unit, command)
  const book = unit.books.get(command.book)
  if (book === undefined) return refuse('ORDER_BOOK_NOT_FOUND')
  const hash = hashOf(command.order)
  if (unit.orders.find(command.order, hash) !== null) return refuse('DUPLICATE_ORDER')
  const order = createOrder(book, command, hash, unit.spare.pop())
  const refusal = gate(order, command, now)
  if (refusal) {
    unit.spare.push(order)
    return refusal
  }
  order.reserved = reservedFor(order, command.budget, now)
  return order
}

function reservedFor(order: Order, budget: Amount | undefined, now: number): Amount {
  if (order.side === 'SELL') return order.quantity
  if (order.price !== 0) return reservationNeeded(order, order.quantity, order.price)
  return budget === undefined ? reachOf(order, now).cost : exact(budget)
}

export function isFillableAtOnce(order: Order, now: number): boolean {
  const { quantity, cost } = reachOf(order, now)
  const isAffordable = order.side === 'SELL' || order.price !== 0 || cost <= order.reserved
  return quantity === order.quantity && isAffordable
}
