import type { Place } from '../../src/commands.ts'
import type { Engine } from '../../src/engine.ts'
import type { EngineEvent } from '../../src/events.ts'
import type { MakerView } from '../../src/orders/makers.ts'
import { isWaiting, type NaiveState } from '../naive/naive-state.ts'

/** Whom an order was to meet, and whom it met. A market buy may end at its budget before it has met all. */
export function meetingDifferences(
  { type, side, order }: Place,
  foreseen: readonly MakerView[],
  events: readonly EngineEvent[],
): string[] {
  const met = events.flatMap((event) => {
    if (event.kind === 'skipped' && event.takerOrder === order) return [`${event.makerOrder} 0`]
    return event.kind === 'trade' && event.takerOrder === order ? [`${event.makerOrder} ${event.quantity}`] : []
  })
  const mayStop = type === 'MARKET' && side === 'BUY'
  const expected = foreseen.map((maker) => `${maker.order} ${maker.quantity}`)
  const compared = mayStop ? expected.slice(0, met.length) : expected
  return compared.join() === met.join() ? [] : [`${order} was to meet ${expected.join()} and met ${met.join()}`]
}

export function expiryDifferences(engine: Engine, { orders }: Readonly<NaiveState>): string[] {
  const moments = orders.flatMap((order) => (isWaiting(order) ? (order.placed.expiresAt ?? []) : []))
  const wanted = moments.length === 0 ? null : Math.min(...moments)
  const found = engine.nextExpiry()
  return found === wanted ? [] : [`the next order expires at ${found}, naive ${wanted}`]
}
