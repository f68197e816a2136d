import { type Amount, isWorthless, notionalDown, plus, smaller } from '../amounts.ts'
import type { EndReason } from '../terms.ts'
import { isReached, oppositeRows } from '../unit/ladder.ts'
import { type Order, vetoBetween } from '../unit/order.ts'
import { tell, type Unit } from '../unit/unit.ts'
import { limitOf } from './limit.ts'
import { end, queue, releaseExcess, tellChange } from './order-states.ts'
import { largestFee } from './reservation.ts'
import { fill } from './trade.ts'

/** Trades an order against the other side of its ladder, best price first, oldest first. Why it must not go on, or null. */
function match(unit: Unit, taker: Order): EndReason | null {
  const { levels } = oppositeRows(taker.book.ladder, taker.side)
  const limit = limitOf(taker)
  const { selfTradePrevention } = taker.terms
  const isGuarded = selfTradePrevention !== 'NONE'
  let hasSkipped = false
  for (let index = levels.length - 1; index >= 0; index -= 1) {
    const level = levels[index]
    if (level === undefined || !isReached(level, limit)) break
    for (let maker = level.first; maker !== null; ) {
      const following: Order | null = maker.next
      if (isGuarded && maker.account === taker.account) {
        if (selfTradePrevention !== 'CANCEL_TAKER') end(unit, maker, 'CANCELLED', 'SELF_TRADE_PREVENTION')
        if (selfTradePrevention !== 'CANCEL_MAKER') return 'SELF_TRADE_PREVENTION'
      } else if (isVetoed(unit, taker, maker)) {
        hasSkipped = true
      } else {
        const quantity = smaller(taker.remaining, maker.remaining)
        const notional = notionalDown(quantity, level.price)
        if (notional === 0) return 'TOO_SMALL_TO_TRADE'
        if (isBeyondBudget(taker, quantity, level.price, notional)) return 'BUDGET_SPENT'
        fill(unit, maker, taker, quantity, level.price, notional, 'CLOB')
        settleMaker(unit, maker, level.price)
        if (taker.remaining === 0) return null
      }
      maker = following
    }
  }
  // Resting behind somebody it must not trade with, it would cross the book.
  return hasSkipped ? 'COUNTERPARTY_REFUSED' : null
}

function isVetoed(unit: Unit, taker: Order, maker: Order): boolean {
  if (taker.terms.vetoes === null && maker.terms.vetoes === null) return false
  const rule = vetoBetween(taker, maker)
  if (rule === null) return false
  tell(unit, { kind: 'skipped', takerOrder: taker.id, makerOrder: maker.id, rule })
  return true
}

/** A limit buy reserved for its limit; a market buy only for the depth somebody saw. */
function isBeyondBudget(taker: Order, quantity: Amount, price: Amount, notional: Amount): boolean {
  if (taker.price !== 0 || taker.side === 'SELL') return false
  return plus(notional, largestFee(taker, quantity, price)) > taker.reserved
}

function settleMaker(unit: Unit, maker: Order, price: Amount): void {
  if (maker.remaining === 0) end(unit, maker, 'FILLED', null)
  else if (isWorthless(maker.remaining, price)) end(unit, maker, 'CANCELLED', 'TOO_SMALL_TO_TRADE')
  else {
    maker.status = 'PARTIALLY_FILLED'
    tellChange(unit, maker, 0, 0)
  }
}

/** Matches an order that is in no queue, then lets it rest or ends it. */
export function enter(unit: Unit, order: Order, mustTell: boolean): void {
  const before = order.remaining
  const reason = match(unit, order)
  if (order.remaining === 0) end(unit, order, 'FILLED', null)
  else if (reason !== null) end(unit, order, 'CANCELLED', reason)
  else if (order.price === 0) end(unit, order, 'CANCELLED', 'MARKET_REMAINDER')
  else if (order.terms.timeInForce !== 'GTC') end(unit, order, 'CANCELLED', 'IOC_REMAINDER')
  else if (isWorthless(order.remaining, order.price)) end(unit, order, 'CANCELLED', 'TOO_SMALL_TO_TRADE')
  else {
    queue(unit, order)
    if (mustTell || order.remaining !== before) tellChange(unit, order, 0, releaseExcess(order))
  }
}
