import type { Amount } from '../amounts.ts'
import type { Order } from '../unit/order.ts'

type Bounded = Pick<Order, 'price' | 'side' | 'terms' | 'book'>

/** The worst price an order may trade at: its own, or for a market order the far edge of the band. Null: any. */
export function limitOf({ price, side, terms, book }: Bounded): Amount | null {
  if (price !== 0) return price
  if (terms.bandExempt || book.reference === null) return null
  return side === 'BUY' ? book.reference.upperBound : book.reference.lowerBound
}
