import { type Amount, less } from '../amounts.ts'
import type { EndReason, OrderStatus } from '../terms.ts'
import { append, levelAt, ownRows, unlink } from '../unit/ladder.ts'
import { touch } from '../unit/levels-told.ts'
import { isLive, type Order } from '../unit/order.ts'
import { tell, type Unit } from '../unit/unit.ts'
import { reservationNeeded } from './reservation.ts'

export function tellChange(unit: Unit, order: Order, added: Amount, released: Amount): void {
  tell(unit, {
    kind: 'orderChanged',
    order: order.id,
    book: order.book.id,
    account: order.account,
    side: order.side,
    status: order.status,
    reason: order.reason,
    price: order.price === 0 ? null : order.price,
    quantity: order.quantity,
    remaining: order.remaining,
    reserved: order.reserved,
    added,
    released,
  })
}

/** Takes an order out of its queue, wherever it waits. */
export function withdraw(unit: Unit, order: Order): void {
  const { level } = order
  if (level !== null) {
    touch(unit, level)
    unlink(level, order)
  } else if (order.status === 'AUCTION_PENDING') order.book.pending.delete(order)
}

export function end(unit: Unit, order: Order, status: OrderStatus, reason: EndReason | null): void {
  withdraw(unit, order)
  const released = order.reserved
  order.reserved = 0
  order.status = status
  order.reason = reason
  if (order.terms.expiresAt !== 0 && reason !== 'ORDER_EXPIRED') unit.expiry.noteEnded()
  if (order.unsettled === 0) forget(unit, order)
  tellChange(unit, order, 0, released)
}

export function forgetIfDone(unit: Unit, order: Order): void {
  if (order.unsettled === 0 && !isLive(order)) forget(unit, order)
}

function forget(unit: Unit, order: Order): void {
  unit.orders.remove(order)
  // One that can expire is still in the queue of those.
  if (order.terms.expiresAt === 0) unit.spare.push(order)
}

/** Puts an order at the end of the queue of its price. */
export function queue(unit: Unit, order: Order): void {
  const level = levelAt(ownRows(order.book.ladder, order.side), order.price)
  order.turn = ++unit.turns
  order.status = order.remaining === order.quantity ? 'OPEN' : 'PARTIALLY_FILLED'
  append(level, order)
  touch(unit, level)
}

/** Puts an order at the end of the queue of its book's auction. */
export function collect(unit: Unit, order: Order): void {
  order.turn = ++unit.turns
  order.status = 'AUCTION_PENDING'
  order.book.pending.add(order)
}

/**
 * Frees what a live order no longer needs, for example after it traded better than its limit. Not before all its trades
 * are settled: one that fails comes back at the limit.
 */
export function releaseExcess(order: Order): Amount {
  if (order.price === 0 || order.unsettled > 0) return 0
  const needed = reservationNeeded(order, order.remaining, order.price)
  const excess = less(order.reserved, needed)
  order.reserved = needed
  return excess
}
