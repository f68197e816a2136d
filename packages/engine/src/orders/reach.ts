import { type Amount, minus, notionalDown, plus, smaller } from '../amounts.ts'
import { isReached, oppositeRows } from '../unit/ladder.ts'
import { type Order, vetoBetween } from '../unit/order.ts'
import { limitOf } from './limit.ts'
import { largestFee } from './reservation.ts'

export interface Reach {
  /** What would be filled of the order. */
  readonly quantity: Amount
  /** The most a buyer would pay for it, fee included. */
  readonly cost: Amount
}

/** What an order would get if it came in now. Changes nothing. */
export function reachOf(taker: Order): Reach {
  const { levels } = oppositeRows(taker.book.ladder, taker.side)
  const limit = limitOf(taker)
  const isGuarded = taker.selfTradePrevention !== 'NONE'
  let quantity: Amount = 0
  let notional: Amount = 0
  let worst: Amount = 0
  const reach = () => ({ quantity, cost: plus(notional, largestFee(taker, quantity, worst)) })
  for (let index = levels.length - 1; index >= 0; index -= 1) {
    const level = levels[index]
    if (level === undefined || !isReached(level, limit)) break
    for (let maker = level.first; maker !== null; maker = maker.next) {
      if (isGuarded && maker.account === taker.account) {
        if (taker.selfTradePrevention === 'CANCEL_MAKER') continue
        return reach()
      }
      if (vetoBetween(taker, maker) !== null) continue
      const part = smaller(minus(taker.remaining, quantity), maker.remaining)
      const cost = notionalDown(part, level.price)
      if (cost === 0) return reach()
      quantity = plus(quantity, part)
      notional = plus(notional, cost)
      worst = level.price
      if (quantity === taker.remaining) return reach()
    }
  }
  return reach()
}
