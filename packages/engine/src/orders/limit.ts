import type { Amount } from '../amounts.ts'
import type { Order } from '../unit/order.ts'

type Bounded = Pick<Order, 'price' | 'side' | 'bandExempt' | 'book'>

/** The worst price an order may trade at: its own, or for a market order the far edge of the band. Null: any. */
export function limitOf({ price, side, bandExempt, book }: Bounded): Amount | null {
  if (price !== 0) return price
  if (bandExempt || book.reference === null) return null
  return side === 'BUY' ? book.reference.upperBound : book.reference.lowerBound
}
