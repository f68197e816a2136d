import type { Cancel, MassCancel } from '../commands.ts'
import { isLive, type Order } from '../unit/order.ts'
import { ordersOf, type Unit } from '../unit/unit.ts'
import { end } from './order-states.ts'
import { type Refusal, refuse } from './refusal.ts'

/** An order by its id; somebody else's looks like none. */
export function ownOrder(unit: Unit, id: string, account: string | undefined): Order | null {
  const order = unit.orders.find(id)
  return order === null || account === undefined || account === order.account ? order : null
}

export function cancel(unit: Unit, command: Cancel): Refusal | null {
  const order = ownOrder(unit, command.order, command.account)
  if (order === null || !isLive(order)) return refuse('ORDER_NOT_FOUND')
  end(unit, order, 'CANCELLED', command.reason ?? 'USER_CANCELLED')
  return null
}

export function massCancel(unit: Unit, { account, book, side }: MassCancel): null {
  const isMeant = (order: Order) =>
    isLive(order) &&
    (account === undefined || order.account === account) &&
    (book === undefined || order.book.id === book) &&
    (side === undefined || order.side === side)
  for (const order of ordersOf(unit, isMeant)) end(unit, order, 'CANCELLED', 'MASS_CANCELLED')
  return null
}

/** Time has come to `unit.now`: orders that end by then end first. */
export function expireDue(unit: Unit): void {
  for (let order = unit.expiry.nextDue(unit.now); order !== null; order = unit.expiry.nextDue(unit.now))
    end(unit, order, 'EXPIRED', 'ORDER_EXPIRED')
}
