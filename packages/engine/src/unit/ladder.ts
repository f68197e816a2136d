import { type Amount, less, plus } from '../amounts.ts'
import type { Side } from '../terms.ts'
import { isDue, type Order } from './order.ts'

/** Orders of one side at one price, oldest first. */
export interface Level {
  readonly price: Amount
  readonly rows: Rows
  first: Order | null
  last: Order | null
  quantity: Amount
  orders: number
  /** As last told to the outside. */
  shownQuantity: Amount
  shownOrders: number
  isTouched: boolean
}

/** One side of a ladder: levels by price, the best one last, so that what changes most costs least to move. */
export interface Rows {
  readonly ladder: string
  readonly side: Side
  readonly levels: Level[]
  readonly byPrice: Map<Amount, Level>
  /** Levels without orders that still stand in the row. */
  empty: number
}

export interface Ladder {
  readonly name: string
  readonly bids: Rows
  readonly asks: Rows
}

const createRows = (ladder: string, side: Side): Rows => ({ ladder, side, levels: [], byPrice: new Map(), empty: 0 })

export const createLadder = (name: string): Ladder => ({
  name,
  bids: createRows(name, 'BUY'),
  asks: createRows(name, 'SELL'),
})

export const ownRows = (ladder: Ladder, side: Side): Rows => (side === 'BUY' ? ladder.bids : ladder.asks)
export const oppositeRows = (ladder: Ladder, side: Side): Rows => (side === 'BUY' ? ladder.asks : ladder.bids)

/** The best one that an order still rests on by then: whoever only asks what would happen finds those whose time is over as well. */
export function bestLevel({ levels }: Rows, now: number): Level | null {
  for (let index = levels.length - 1; index >= 0; index -= 1) {
    const level = levels[index]
    for (let order = level?.first ?? null; order !== null; order = order.next)
      if (level && !isDue(order, now)) return level
  }
  return null
}

/** Would an order of the other side at this price trade with the level? */
export const isReached = ({ rows, price }: Level, limit: Amount | null): boolean =>
  limit === null || (rows.side === 'SELL' ? price <= limit : price >= limit)

export function levelAt(rows: Rows, price: Amount): Level {
  const known = rows.byPrice.get(price)
  if (known) return known
  const level: Level = {
    price,
    rows,
    first: null,
    last: null,
    quantity: 0,
    orders: 0,
    shownQuantity: 0,
    shownOrders: 0,
    isTouched: false,
  }
  rows.byPrice.set(price, level)
  const { levels } = rows
  const last = levels[levels.length - 1]
  rows.empty += 1
  if (last === undefined || isWorse(rows.side, last.price, price)) levels.push(level)
  else levels.splice(placeOf(rows, price), 0, level)
  return level
}

const isWorse = (side: Side, price: Amount, than: Amount): boolean => (side === 'BUY' ? price < than : price > than)

/** How many levels are worse than the price. */
function placeOf({ levels, side }: Rows, price: Amount): number {
  let low = 0
  let high = levels.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const level = levels[middle]
    if (level && isWorse(side, level.price, price)) low = middle + 1
    else high = middle
  }
  return low
}

export function append(level: Level, order: Order): void {
  if (level.last === null) {
    level.first = order
    level.rows.empty -= 1
  } else {
    level.last.next = order
    order.previous = level.last
  }
  level.last = order
  level.quantity = plus(level.quantity, order.remaining)
  level.orders += 1
  order.level = level
}

export function unlink(level: Level, order: Order): void {
  const { previous, next } = order
  if (previous === null) level.first = next
  else previous.next = next
  if (next === null) level.last = previous
  else next.previous = previous
  order.previous = null
  order.next = null
  order.level = null
  level.quantity = less(level.quantity, order.remaining)
  level.orders -= 1
  if (level.first === null) level.rows.empty += 1
}

const FEW = 16

/**
 * Forgets empty levels: those at the best end once they are more than a few, those further down once they are the greater
 * part. Not sooner, since a price that was just traded away comes back most of the time.
 */
export function tidy(rows: Rows): void {
  const { levels, byPrice } = rows
  if (rows.empty <= FEW) return
  let filled = levels.length
  while (filled > 0 && levels[filled - 1]?.first === null) filled -= 1
  if (levels.length - filled > FEW) {
    for (const level of levels.slice(filled)) byPrice.delete(level.price)
    rows.empty -= levels.length - filled
    levels.length = filled
  }
  if (rows.empty <= FEW || rows.empty * 2 <= levels.length) return
  let kept = 0
  for (const level of levels) {
    if (level.first === null) byPrice.delete(level.price)
    else levels[kept++] = level
  }
  levels.length = kept
  rows.empty = 0
}
