import type { BookStatus } from '../terms.ts'
import type { Unit } from './unit.ts'

/** A book as the outside may know it. */
export interface BookView {
  readonly book: string
  readonly status: BookStatus
  readonly auction: string | null
  /** Where its orders stand: the book itself, or `POOL`. */
  readonly ladder: string
}

export const viewBooks = (unit: Unit): BookView[] =>
  [...unit.books.values()].map(({ id, status, auction, ladder }) => ({
    book: id,
    status,
    auction,
    ladder: ladder.name,
  }))
