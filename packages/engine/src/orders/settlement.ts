import { type Amount, plus } from '../amounts.ts'
import type { Settle, Unwind } from '../commands.ts'
import type { Trade, TradeTerms } from '../events.ts'
import { isLive, isResting, type Order } from '../unit/order.ts'
import { tell, type Unit, type UnsettledTrade } from '../unit/unit.ts'
import { collect, forgetIfDone, queue, releaseExcess, tellChange, withdraw } from './order-states.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A trade is final: nothing can come back to its orders. */
export function settle(unit: Unit, command: Settle): Refusal | null {
  const found = take(unit, command.trade)
  if (found === null) return refuse('TRADE_NOT_FOUND')
  tell(unit, { kind: 'tradeSettled', ...termsOf(found.told) })
  for (const order of ordersIn(found)) {
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
  const { quantity, buyerPays } = found.told
  tell(unit, { kind: 'tradeFailed', ...termsOf(found.told), reason: command.reason })
  giveBackFees(found)
  for (const order of ordersIn(found)) giveBack(unit, order, quantity, order.side === 'BUY' ? buyerPays : quantity)
  return null
}

function termsOf({
  kind,
  makerFee,
  takerFee,
  makerFeeQuote,
  takerFeeQuote,
  sellerGets,
  staged,
  ...terms
}: Trade): TradeTerms {
  return terms
}

/** None in a trade that was agreed elsewhere. */
const ordersIn = ({ orders }: UnsettledTrade): Order[] => (orders === null ? [] : [orders.maker, orders.taker])

function take(unit: Unit, trade: number): UnsettledTrade | null {
  const found = unit.unsettled.get(trade) ?? null
  unit.unsettled.delete(trade)
  return found
}

function giveBackFees({ orders, ...found }: UnsettledTrade): void {
  if (orders === null) return
  orders.maker.baseCarry -= found.makerBaseCarry
  orders.maker.quoteCarry -= found.makerQuoteCarry
  orders.taker.baseCarry -= found.takerBaseCarry
  orders.taker.quoteCarry -= found.takerQuoteCarry
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
