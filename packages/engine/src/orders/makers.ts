import type { Amount } from '../amounts.ts'
import type { Place } from '../commands.ts'
import type { Order } from '../unit/order.ts'
import { timeOf, type Unit } from '../unit/unit.ts'
import { meetAll } from './meet.ts'
import { draftOrder, isFillableAtOnce } from './place.ts'

/** A resting order that another one would meet. */
export interface MakerView {
  readonly order: string
  readonly account: string
  readonly book: string
  readonly price: Amount
  /** What would be filled of it: 0 when a rule forbids the trade, and it is passed over. */
  readonly quantity: Amount
}

/**
 * Whom an order would meet if it were placed next, best first: none where it would be refused, collected for an auction, or
 * cancelled because it cannot be filled whole. A market buy may not come so far: its budget is not looked at.
 */
export function makersFor(unit: Unit, command: Place): readonly MakerView[] {
  const now = timeOf(unit, command)
  const order = draftOrder(unit, command)
  if ('code' in order) return []
  const makers = order.book.auction === null ? makersOf(order, now) : []
  unit.spare.push(order)
  return makers
}

function makersOf(taker: Order, now: number): MakerView[] {
  if (taker.terms.timeInForce === 'FOK' && !isFillableAtOnce(taker, now)) return []
  const makers: MakerView[] = []
  meetAll(taker, now, ({ id, account, book, price }, quantity) =>
    makers.push({ order: id, account, book: book.id, price, quantity }),
  )
  return makers
}
