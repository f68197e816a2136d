import type { EndReason, OrderStatus } from '../../src/terms.ts'
import { needed } from './naive-money.ts'
import { filledOf, isUnsettled, leftOf, type NaiveOrder, type NaiveState } from './naive-state.ts'

export function tellChange(state: NaiveState, order: NaiveOrder, added = 0n, released = 0n): void {
  const { order: id, account, side } = order.placed
  const { status, reason, price, quantity, reserved } = order
  const told = {
    order: id,
    book: order.book.id,
    account,
    side,
    status,
    reason,
    price,
    quantity,
    reserved,
    added,
    released,
  }
  state.events.push({ kind: 'orderChanged', ...told, remaining: leftOf(order) })
}

export function finish(state: NaiveState, order: NaiveOrder, status: OrderStatus, reason: EndReason | null): void {
  const released = order.reserved
  Object.assign(order, { status, reason, reserved: 0n, turn: 0 })
  tellChange(state, order, 0n, released)
}

/** What an order holds beyond its need; nothing as long as a fill of it may fail. */
export function freeExcess(order: NaiveOrder): bigint {
  if (isUnsettled(order)) return 0n
  const excess = order.reserved - needed(order)
  order.reserved -= excess
  return excess
}

export function standInLine(state: NaiveState, order: NaiveOrder): void {
  state.turns += 1
  order.turn = state.turns
  order.status = filledOf(order) === 0n ? 'OPEN' : 'PARTIALLY_FILLED'
}

export function waitForAuction(state: NaiveState, order: NaiveOrder): void {
  state.turns += 1
  order.turn = state.turns
  order.status = 'AUCTION_PENDING'
}
