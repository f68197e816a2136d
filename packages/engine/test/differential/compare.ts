import type { Engine } from '../../src/engine.ts'
import type { EngineEvent, LevelChanged } from '../../src/events.ts'
import { canonicalText } from '../../src/journal/canonical-text.ts'
import type { OrderView } from '../../src/unit/order-view.ts'
import {
  isQueued,
  isWaiting,
  leftOf,
  type NaiveEvent,
  type NaiveOrder,
  type NaiveState,
  queueOf,
  venueOf,
} from '../naive/naive-state.ts'

export type Levels = ReadonlyMap<string, string>

/** Every number a bigint, so that only values differ. */
function inBigints(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value)
  if (Array.isArray(value)) return value.map(inBigints)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inBigints(member)]))
}

const text = (value: unknown): string => canonicalText(inBigints(value))

export function eventDifferences(events: readonly EngineEvent[], expected: readonly NaiveEvent[]): string[] {
  const told = events.filter((event) => event.kind !== 'level').map(text)
  const wanted = expected.map(text)
  const count = Math.max(told.length, wanted.length)
  return Array.from({ length: count }, (_, index) => [told[index], wanted[index]] as const)
    .filter(([a, b]) => a !== b)
    .map(([a, b]) => `event ${a ?? 'missing'}\n    naive ${b ?? 'none'}`)
}

/** Depth as the naive book has it: quantity and number of orders per ladder, side and price. */
export function naiveLevels(naive: Readonly<NaiveState>): Levels {
  const sums = new Map<string, { quantity: bigint; orders: number }>()
  for (const order of naive.orders.filter(isQueued)) {
    const key = `${venueOf(order.book)} ${order.placed.side} ${order.price}`
    const level = sums.get(key) ?? { quantity: 0n, orders: 0 }
    sums.set(key, { quantity: level.quantity + leftOf(order), orders: level.orders + 1 })
  }
  return new Map([...sums].map(([key, { quantity, orders }]) => [key, `${quantity} in ${orders}`]))
}

/** The levels that the events say changed must be those that did, and show what is there now. */
export function levelDifferences(events: readonly EngineEvent[], before: Levels, after: Levels): string[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key))
  const wanted = changed.map((key) => `${key}: ${after.get(key) ?? '0 in 0'}`).sort()
  const levels = events.filter((event): event is LevelChanged => event.kind === 'level')
  const told = levels
    .map(({ ladder, side, price, quantity, orders }) => `${ladder} ${side} ${price}: ${quantity} in ${orders}`)
    .sort()
  return told.join('\n') === wanted.join('\n')
    ? []
    : [`levels told\n${told.join('\n')}\n  changed\n${wanted.join('\n')}`]
}

type Views = ReadonlyMap<NaiveOrder, OrderView | null>

/** Every live order, the order of every queue, and the depth of every book. */
export function stateDifferences(engine: Engine, naive: Readonly<NaiveState>, levels: Levels): string[] {
  const live = naive.orders.filter(isWaiting)
  const views: Views = new Map(live.map((order) => [order, engine.order(order.placed.order)]))
  const differences = live.flatMap((order) => orderDifferences(order, views.get(order) ?? null))
  const venues = new Map(naive.books.map((book) => [venueOf(book), book.id]))
  for (const [venue, book] of venues) {
    const depth = engine.depth(book, Number.POSITIVE_INFINITY)
    for (const side of ['BUY', 'SELL'] as const) {
      const queue = queueOf(naive, venue, side)
      if (!isInTurn(views, queue)) differences.push(`${venue} ${side}: another order of turns`)
      const shown = (side === 'BUY' ? depth?.bids : depth?.asks) ?? []
      const prices = [...new Set(queue.map(({ price }) => price))]
      const wanted = prices.map((price) => `${price}: ${levels.get(`${venue} ${side} ${price}`)}`).join(', ')
      const found = shown.map(({ price, quantity, orders }) => `${price}: ${quantity} in ${orders}`).join(', ')
      if (found !== wanted) differences.push(`${venue} ${side}: depth ${found}, naive ${wanted}`)
    }
  }
  return differences
}

function isInTurn(views: Views, queue: readonly NaiveOrder[]): boolean {
  return queue.every((order, index) => {
    const previous = queue[index - 1]
    if (previous === undefined || previous.price !== order.price) return true
    return (views.get(previous)?.turn ?? 0) < (views.get(order)?.turn ?? 0)
  })
}

function orderDifferences(order: NaiveOrder, found: OrderView | null): string[] {
  const { placed, price, quantity, reserved, status } = order
  const wanted = `${status} ${leftOf(order)} of ${quantity} at ${price} with ${reserved}`
  const shown =
    found && `${found.status} ${found.remaining} of ${found.quantity} at ${found.price} with ${found.reserved}`
  return shown === wanted ? [] : [`${placed.order}: ${shown}, naive ${wanted}`]
}

/** Nobody on one side would trade with somebody on the other. */
export function crossed(engine: Engine, books: readonly string[]): string[] {
  return books.filter((book) => {
    const depth = engine.depth(book, 1)
    const [bid, ask] = [depth?.bids[0], depth?.asks[0]]
    return bid !== undefined && ask !== undefined && bid.price >= ask.price
  })
}
