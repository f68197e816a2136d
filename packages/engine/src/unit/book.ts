import type { Amount } from '../amounts.ts'
import type { BookRules, OpenBook } from '../commands.ts'
import type { BookStatus } from '../terms.ts'
import { createLadder, type Ladder } from './ladder.ts'
import type { Order } from './order.ts'

export interface Reference {
  readonly price: Amount
  readonly spreadBps: number | null
  /** Both included; null: no band. */
  readonly lowerBound: Amount | null
  readonly upperBound: Amount | null
}

export interface Book {
  readonly id: string
  readonly instance: string
  readonly base: string
  readonly quote: string
  readonly staged: boolean
  /** Where its orders stand while it is on its own. */
  readonly ownLadder: Ladder
  /** Orders that an auction collects, oldest first. */
  readonly pending: Set<Order>
  rules: BookRules
  status: BookStatus
  pooled: boolean
  reference: Reference | null
  auction: string | null
  /** Where its orders stand now: its own ladder or the pool's. */
  ladder: Ladder
}

export function createBook({
  book,
  instance,
  base,
  quote,
  staged,
  pooled,
  rules,
}: Omit<OpenBook, 'kind' | 'at'>): Book {
  const ownLadder = createLadder(book)
  return {
    id: book,
    instance,
    base,
    quote,
    staged,
    ownLadder,
    pending: new Set(),
    rules,
    status: 'ACTIVE',
    pooled,
    reference: null,
    auction: null,
    ladder: ownLadder,
  }
}

export const isPooling = ({ pooled, status, auction }: Book): boolean =>
  pooled && status === 'ACTIVE' && auction === null
