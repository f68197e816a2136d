import { type Amount, minus, notionalDown, smaller } from '../amounts.ts'
import { isReached, oppositeRows } from '../unit/ladder.ts'
import { isDue, type Order, vetoBetween } from '../unit/order.ts'
import { limitOf } from './limit.ts'

/** A resting order that another one comes to: 0 of it is filled when a rule forbids the trade. */
export type Meeting = (maker: Order, quantity: Amount, notional: Amount) => void

/**
 * Whom an order would meet if it came in now, best price first, oldest first, until it is filled or must stop. Does not know
 * what a market buy can afford. Changes nothing.
 */
export function meetAll(taker: Order, now: number, onMeeting: Meeting): void {
  const { levels } = oppositeRows(taker.book.ladder, taker.side)
  const limit = limitOf(taker)
  const isGuarded = taker.terms.selfTradePrevention !== 'NONE'
  let open = taker.remaining
  for (let index = levels.length - 1; index >= 0; index -= 1) {
    const level = levels[index]
    if (level === undefined || !isReached(level, limit)) return
    for (let maker = level.first; maker !== null; maker = maker.next) {
      if (isDue(maker, now)) continue
      if (isGuarded && maker.account === taker.account) {
        if (taker.terms.selfTradePrevention === 'CANCEL_MAKER') continue
        return
      }
      if (vetoBetween(taker, maker) !== null) {
        onMeeting(maker, 0, 0)
        continue
      }
      const quantity = smaller(open, maker.remaining)
      const notional = notionalDown(quantity, level.price)
      if (notional === 0) return
      onMeeting(maker, quantity, notional)
      open = minus(open, quantity)
      if (open === 0) return
    }
  }
}
