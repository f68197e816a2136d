import { type Amount, exact, minus, negative, plus } from '../amounts.ts'
import type { Amend } from '../commands.ts'
import { touch } from '../unit/levels-told.ts'
import { isDue, isResting, type Order } from '../unit/order.ts'
import { timeOf, type Unit } from '../unit/unit.ts'
import { ownOrder } from './cancel.ts'
import { feeShareDown } from './fees.ts'
import { gateNotional, gatePostOnly, gatePrice, gateQuantity } from './gate.ts'
import { enter } from './matching.ts'
import { tellChange, withdraw } from './order-states.ts'
import { type Refusal, refuse } from './refusal.ts'
import { reservationNeeded } from './reservation.ts'

interface Amendment {
  readonly order: Order
  readonly price: Amount
  readonly quantity: Amount
  readonly remaining: Amount
  readonly keepsPlace: boolean
  /** Of what is reserved. */
  readonly change: Amount
}

/** Less of an order keeps its place in the queue; more of it, or another price, goes to the end and may trade at once. */
export function amend(unit: Unit, command: Amend): Refusal | null {
  const found = amendment(unit, command)
  if ('code' in found) return found
  const { order, keepsPlace, change } = found
  const { level } = order
  if (keepsPlace && level) {
    level.quantity = minus(level.quantity, minus(order.remaining, found.remaining))
    touch(unit, level)
  } else withdraw(unit, order)
  order.price = found.price
  order.quantity = found.quantity
  order.remaining = found.remaining
  order.reserved = plus(order.reserved, change)
  tellChange(unit, order, change > 0 ? change : 0, change < 0 ? negative(change) : 0)
  if (!keepsPlace) enter(unit, order, false)
  return null
}

/** What an amendment comes to, or why it is refused. Changes nothing. */
export function amendment(unit: Unit, command: Amend): Amendment | Refusal {
  const order = ownOrder(unit, command.order, command.account)
  const now = timeOf(unit, command)
  if (order === null || !isResting(order) || isDue(order, now)) return refuse('ORDER_NOT_FOUND')
  const price = exact(command.price ?? order.price)
  const quantity = exact(command.quantity ?? order.quantity)
  const remaining = minus(quantity, minus(order.quantity, order.remaining))
  const keepsPlace = price === order.price && quantity <= order.quantity
  const refusal = gateAmendment(order, price, quantity, remaining, keepsPlace, now)
  if (refusal) return refusal
  const needed = reservationNeeded(order, order.remaining, order.price)
  // A fill that fails gives back what it took, rounded for itself: until all are settled a buy frees nothing.
  const waits = keepsPlace && order.side === 'BUY' && order.unsettled > 0
  const change = waits ? 0 : minus(reservationNeeded(order, remaining, price), needed)
  return { order, price, quantity, remaining, keepsPlace, change }
}

function gateAmendment(
  { book, side, terms, maxFeeBps, placedQuantity, unsettled }: Order,
  price: Amount,
  quantity: Amount,
  remaining: Amount,
  keepsPlace: boolean,
  now: number,
): Refusal | null {
  const { postOnly, bandExempt, maxFee } = terms
  if (book.status !== 'ACTIVE') return refuse('ORDER_BOOK_INACTIVE')
  if (remaining <= 0) return refuse('INVALID_QUANTITY')
  // A fill that fails gives back what it took, which would not pay for it at another price.
  if (!keepsPlace && unsettled > 0) return refuse('SETTLEMENT_PENDING')
  const feeShare = keepsPlace || maxFee === null ? null : feeShareDown(maxFee, remaining, placedQuantity)
  return (
    gateQuantity(book, quantity) ??
    gatePrice(book, price, bandExempt) ??
    gateNotional(remaining, price, maxFeeBps, feeShare) ??
    (postOnly && !keepsPlace ? gatePostOnly(book, side, price, now) : null)
  )
}
