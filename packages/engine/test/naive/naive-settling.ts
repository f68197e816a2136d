import { finish, freeExcess, standInLine, tellChange, waitForAuction } from './naive-orders.ts'
import { isQueued, isWaiting, type NaiveState, type NaiveTrade, Refused } from './naive-state.ts'

function takeTrade({ trades }: NaiveState, trade: number): NaiveTrade {
  const index = trades.findIndex((candidate) => candidate.trade === trade)
  const [found] = index < 0 ? [] : trades.splice(index, 1)
  if (found === undefined) throw new Refused('TRADE_NOT_FOUND')
  return found
}

export function settleTrade(state: NaiveState, trade: number): void {
  const found = takeTrade(state, trade)
  state.events.push({ kind: 'tradeSettled', ...found.terms })
  for (const order of found.orders) {
    for (const fill of order.fills) if (fill.trade === trade) fill.isSettled = true
    const released = isWaiting(order) ? freeExcess(order) : 0n
    if (released > 0n) tellChange(state, order, 0n, released)
  }
}

export function unwindTrade(state: NaiveState, trade: number, reason: string): void {
  const { orders, buyerPays, quantity, terms } = takeTrade(state, trade)
  state.events.push({ kind: 'tradeFailed', ...terms, reason })
  for (const order of orders) {
    order.fills = order.fills.filter((fill) => fill.trade !== trade)
    const back = order.placed.side === 'BUY' ? buyerPays : quantity
    if (isWaiting(order)) {
      order.reserved += back
      if (isQueued(order)) standInLine(state, order)
      else waitForAuction(state, order)
      tellChange(state, order, back, freeExcess(order))
    } else {
      if (order.status === 'FILLED') Object.assign(order, { status: 'CANCELLED', reason: 'SETTLEMENT_FAILED' })
      tellChange(state, order, back, back)
    }
  }
}

export function expireOrders(state: NaiveState): void {
  const { now, orders } = state
  const due = orders.filter((order) => isWaiting(order) && (order.placed.expiresAt ?? now + 1) <= now)
  due.sort((a, b) => (a.placed.expiresAt ?? 0) - (b.placed.expiresAt ?? 0) || a.born - b.born)
  for (const order of due) finish(state, order, 'EXPIRED', 'ORDER_EXPIRED')
}
