import type { BuiltTransaction } from '../api/access.ts'

/** Something that somebody has to look at. */
export interface Need {
  readonly kind: 'LOAN_NEAR_LIQUIDATION' | 'LOAN_DUE' | 'PRICE_STALE' | 'TRANSACTION_TO_SIGN'
  readonly id: string
  readonly title: string
  readonly marketId: string | undefined
  readonly loanId: string | undefined
  readonly urgency: 'now' | 'soon'
  /** Seconds. */
  readonly due: number | null
}

export interface LoanSeen {
  readonly marketId: string
  readonly market: string
  readonly loanId: string
  readonly health: string | null
  /** Seconds. */
  readonly dueAt: number | null
}

export interface MarketSeen {
  readonly marketId: string
  readonly market: string
  readonly isStale: boolean
}

/** Below 1 anybody may seize the collateral. */
const CLOSE = 1.1
const DUE_WITHIN_MS = 14 * 86_400_000

function needOf(loan: LoanSeen, now: number): Need | undefined {
  const { marketId, loanId, market, health, dueAt } = loan
  const base = { id: `${marketId}-${loanId}`, title: `Loan ${loanId}, ${market}`, marketId, loanId }
  if (health !== null && Number(health) < CLOSE)
    return { ...base, kind: 'LOAN_NEAR_LIQUIDATION', urgency: Number(health) < 1 ? 'now' : 'soon', due: null }
  const left = dueAt === null ? Number.POSITIVE_INFINITY : dueAt * 1_000 - now
  if (left < DUE_WITHIN_MS) return { ...base, kind: 'LOAN_DUE', urgency: left < 0 ? 'now' : 'soon', due: dueAt }
  return undefined
}

/** Most urgent first. */
export function needsOf(
  loans: readonly LoanSeen[],
  markets: readonly MarketSeen[],
  transactions: readonly BuiltTransaction[],
  now: number,
): Need[] {
  const none = { marketId: undefined, loanId: undefined, due: null }
  const needs: Need[] = [
    ...loans.flatMap((loan) => needOf(loan, now) ?? []),
    ...markets
      .filter(({ isStale }) => isStale)
      .map(({ marketId, market }) => ({
        ...none,
        ...({ kind: 'PRICE_STALE', id: marketId, title: market, marketId, urgency: 'now' } as const),
      })),
    ...transactions
      .filter(({ status }) => status === 'BUILT')
      .map(({ transactionId, summary }) => ({
        ...none,
        ...({ kind: 'TRANSACTION_TO_SIGN', id: transactionId, title: summary, urgency: 'soon' } as const),
      })),
  ]
  return needs.toSorted((a, b) => (a.urgency === b.urgency ? 0 : a.urgency === 'now' ? -1 : 1))
}
