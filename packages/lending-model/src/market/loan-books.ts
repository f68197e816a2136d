import { greater, lesser, sum } from '../rules/arithmetic.ts'
import { elapsedSeconds, loanInterestUp, wadPerBps } from '../rules/interest.ts'
import { dropInterest, indexAt } from './books.ts'
import { demand, move } from './refusal.ts'
import type { LendingState, Loan, Party, Turn } from './state.ts'

/** Interest at `now`: additive index for variable loans, rate x seconds for stamped ones. */
export function interestAt(state: LendingState, loan: Loan, now: bigint): bigint {
  const growth =
    loan.rateBps === 0n
      ? indexAt(state, now) - loan.settledTo
      : loan.rateBps * wadPerBps * elapsedSeconds(loan.settledTo, now)
  return loan.interest + loanInterestUp(loan.principal, growth)
}

/** The market has to be accrued. */
export function settleLoan({ state, now }: Turn, loan: Loan): bigint {
  loan.interest = interestAt(state, loan, now)
  if (loan.rateBps === 0n) loan.settledTo = state.pool.index
  else if (now > loan.settledTo) loan.settledTo = now
  return loan.principal + loan.interest
}

/** Threshold and penalty of a loan: as agreed, or better ones of today. */
export function realizationTermsOf({ config }: LendingState, loan: Loan) {
  return {
    liquidationThresholdBps: greater(loan.liquidationThresholdBps, config.liquidationThresholdBps),
    liquidationPenaltyBps: lesser(loan.liquidationPenaltyBps, config.liquidationPenaltyBps),
  }
}

export function openLoanOf(state: LendingState, loanId: bigint): Loan {
  const loan = state.loans.get(loanId)
  demand(loan !== undefined, 'LoanNotFound')
  demand(loan.status !== 'CLOSED', 'LoanNotActive')
  return loan
}

export function unlockedLoanOf(state: LendingState, loanId: bigint): Loan {
  const loan = openLoanOf(state, loanId)
  demand(loan.status === 'ACTIVE', 'LoanInAuction')
  return loan
}

export function ownLoanOf({ state, caller }: Turn, loanId: bigint): Loan {
  const loan = unlockedLoanOf(state, loanId)
  demand(loan.borrower === caller, 'NotBorrower')
  return loan
}

export function reduceDebt(state: LendingState, loan: Loan, principal: bigint, interest: bigint): void {
  loan.principal -= principal
  loan.interest -= interest
  dropInterest(state, interest)
}

export function collateralOf(state: LendingState, borrower: Party): bigint {
  const own = [...state.loans.values()].filter((loan) => loan.borrower === borrower)
  return sum(own.map((loan) => loan.collateral))
}

/** Ends the loan and gives back what it still has. */
export function closeLoanBooks(state: LendingState, loan: Loan): void {
  loan.status = 'CLOSED'
  move(state.collaterals, 'adapter', loan.borrower, loan.collateral)
  loan.collateral = 0n
}
