import type { Amount } from '../amounts.ts'
import type { Rows } from './ladder.ts'
import type { Unit } from './unit.ts'

export interface DepthLevel {
  readonly price: Amount
  readonly quantity: Amount
  readonly orders: number
}

export interface Depth {
  readonly bids: readonly DepthLevel[]
  readonly asks: readonly DepthLevel[]
}

export function depthOf(unit: Unit, id: string, limit: number): Depth | null {
  const book = unit.books.get(id)
  if (book === undefined) return null
  return { bids: bestOf(book.ladder.bids, limit), asks: bestOf(book.ladder.asks, limit) }
}

function bestOf({ levels }: Rows, limit: number): DepthLevel[] {
  const best: DepthLevel[] = []
  for (let index = levels.length - 1; index >= 0 && best.length < limit; index -= 1) {
    const level = levels[index]
    if (level && level.orders > 0) best.push({ price: level.price, quantity: level.quantity, orders: level.orders })
  }
  return best
}
