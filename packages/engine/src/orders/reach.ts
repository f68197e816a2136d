import { type Amount, plus } from '../amounts.ts'
import type { Order } from '../unit/order.ts'
import { meetAll } from './meet.ts'
import { largestFee } from './reservation.ts'

export interface Reach {
  /** What would be filled of the order. */
  readonly quantity: Amount
  /** The most a buyer would pay for it, fee included. */
  readonly cost: Amount
}

/** What an order would get if it came in now. Changes nothing. */
export function reachOf(taker: Order, now: number): Reach {
  let quantity: Amount = 0
  let notional: Amount = 0
  let worst: Amount = 0
  meetAll(taker, now, (maker, part, cost) => {
    if (part === 0) return
    quantity = plus(quantity, part)
    notional = plus(notional, cost)
    worst = maker.price
  })
  return { quantity, cost: plus(notional, largestFee(taker, quantity, worst)) }
}
