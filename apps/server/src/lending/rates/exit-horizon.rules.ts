import type { LoanBook } from './loan-book.store.ts'

interface Maturities {
  readonly activeLoans: bigint
  readonly dueFloor: number
  /** The latest maturity ever stamped; 0: none. */
  readonly latestDueAt: number
}

const later = (a: number, b: number) => (a > b ? a : b)

/** When the money that is out comes back at the latest, if every borrower pays on the day. */
export function exitHorizon({ activeLoans, dueFloor, latestDueAt }: Maturities, book: LoanBook) {
  if (activeLoans === 0n) return { horizon: null, bounded: true, applies: false, basis: 'OPEN_LOANS' as const }
  // The record follows the chain: while it shows another number of loans, it knows too little to be exact.
  if (BigInt(book.open) !== activeLoans)
    return {
      horizon: latestDueAt === 0 ? null : later(latestDueAt, dueFloor),
      bounded: null,
      applies: true,
      basis: 'HIGH_WATER_MARK' as const,
    }
  const latest = Number(book.latestDueAt ?? 0n)
  const bounded = book.unbounded === 0
  return {
    horizon: latest === 0 ? null : later(latest, dueFloor),
    bounded,
    applies: true,
    basis: 'OPEN_LOANS' as const,
  }
}
