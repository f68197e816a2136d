import { type Amount, plus } from '../amounts.ts'
import type { Settle, Unwind } from '../commands.ts'
import { isLive, isResting, type Order } from '../unit/order.ts'
import { tell, type Unit, type UnsettledTrade } from '../unit/unit.ts'
import { collect, forgetIfDone, queue, releaseExcess, tellChange, withdraw } from './order-states.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A trade is final: nothing can come back to its orders. */
export function settle(unit: Unit, command: Settle): Refusal | null {
  const found = take(unit, command.trade)
  if (found === null) return refuse('TRADE_NOT_FOUND')
  tell(unit, { kind: 'tradeSettled', trade: found.trade })
  for (const order of [found.maker, found.taker]) {
    order.unsettled -= 1
    const released = isLive(order) ? releaseExcess(order) : 0
    if (released > 0) tellChange(unit, order, 0, released)
    forgetIfDone(unit, order)
  }
  return null
}

/** A trade failed: what its orders gave comes back to them if they still wait, to their traders if they have ended. */
export function unwind(unit: Unit, command: Unwind): Refusal | null {
  const found = take(unit, command.trade)
  if (found === null) return refuse('TRADE_NOT_FOUND')
  const { maker, taker, quantity, buyerPays } = found
  tell(unit, { kind: 'tradeFailed', trade: found.trade, reason: command.reason })
  giveBackFee(maker, found.makerFeeQuote, found.makerBaseCarry, found.makerQuoteCarry)
  giveBackFee(taker, found.takerFeeQuote, found.takerBaseCarry, found.takerQuoteCarry)
  for (const order of [maker, taker]) giveBack(unit, order, quantity, order.side === 'BUY' ? buyerPays : quantity)
  return null
}

function take(unit: Unit, trade: number): UnsettledTrade | null {
  const found = unit.unsettled.get(trade) ?? null
  unit.unsettled.delete(trade)
  return found
}

function giveBackFee(order: Order, quote: Amount, baseCarry: number, quoteCarry: number): void {
  if (order.feeLeft !== null && quote > 0) order.feeLeft = plus(order.feeLeft, quote)
  order.baseCarry -= baseCarry
  order.quoteCarry -= quoteCarry
}

function giveBack(unit: Unit, order: Order, quantity: Amount, reserved: Amount): void {
  order.unsettled -= 1
  if (isLive(order)) {
    const wasResting = isResting(order)
    withdraw(unit, order)
    order.remaining = plus(order.remaining, quantity)
    order.reserved = plus(order.reserved, reserved)
    if (wasResting) queue(unit, order)
    else collect(unit, order)
    tellChange(unit, order, reserved, releaseExcess(order))
  } else {
    order.remaining = plus(order.remaining, quantity)
    if (order.status === 'FILLED') {
      order.status = 'CANCELLED'
      order.reason = 'SETTLEMENT_FAILED'
    }
    tellChange(unit, order, reserved, reserved)
    forgetIfDone(unit, order)
  }
}
