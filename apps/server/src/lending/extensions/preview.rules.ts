import type { LoanNow, ProposalNow } from './extension.reads.ts'
import { kinds, loanStatus } from './proposal.rules.ts'

/** As many loans as one page of a batch may name. */
const PAGE = 200n

/** What is known of the loans of a market. */
export interface KnownLoans {
  /** The highest id there is. */
  readonly count: bigint
  readonly read: ReadonlyMap<bigint, LoanNow>
  isClosed(loanId: bigint): boolean
}

type Skip = 'CLOSED' | 'IN_REALIZATION' | 'NO_MATURITY' | 'ALREADY_LATER'

/** What a proposal would do now to the next loans it covers, and which of them it passes over. */
export function previewOf(proposal: ProposalNow, loans: KnownLoans) {
  const kind = kinds[proposal.kind] ?? 'LOAN'
  const [first, last] = scopeOf(proposal, loans.count)
  const touched: { loanId: string; currentDueAt: number; newDueAt: number }[] = []
  const skipped: { loanId: string; reason: Skip }[] = []
  let complete = true
  let shown = 0n
  for (let loanId = first; loanId <= last; loanId++) {
    const isClosed = loans.isClosed(loanId)
    // A floor has no pages: a market's long row of closed loans says nothing there.
    if (isClosed && kind === 'FLOOR') continue
    const loan = loans.read.get(loanId)
    if (shown === PAGE || (!loan && !isClosed)) {
      complete = false
      break
    }
    shown++
    const reason = loan ? whySkipped(kind, loan, proposal.newDueAt) : 'CLOSED'
    if (reason) skipped.push({ loanId: loanId.toString(), reason })
    else if (loan)
      touched.push({
        loanId: loanId.toString(),
        currentDueAt: Number(loan.effectiveDueAt),
        newDueAt: proposal.newDueAt,
      })
  }
  return { touched, skipped, complete }
}

function scopeOf({ kind, loanId, cursor, maxLoanId }: ProposalNow, count: bigint): readonly [bigint, bigint] {
  if (kinds[kind] === 'LOAN') return [BigInt(loanId), BigInt(loanId)]
  return kinds[kind] === 'BATCH' ? [BigInt(cursor) + 1n, BigInt(maxLoanId)] : [1n, count]
}

function whySkipped(kind: string, loan: LoanNow, newDueAt: number): Skip | null {
  if (loan.status === loanStatus.CLOSED || loan.status === loanStatus.NONE) return 'CLOSED'
  // A floor also counts for a loan whose collateral is being auctioned: it may come back.
  if (loan.status === loanStatus.IN_AUCTION && kind !== 'FLOOR') return 'IN_REALIZATION'
  if (loan.effectiveDueAt === 0n) return 'NO_MATURITY'
  return loan.effectiveDueAt >= BigInt(newDueAt) ? 'ALREADY_LATER' : null
}
