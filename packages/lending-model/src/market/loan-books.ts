import { divideUp, greater, lessAtLeastZero, lesser, sum, wad } from '../rules/arithmetic.ts'
import { elapsedSeconds, loanInterestUp, wadPerBps, yearSeconds } from '../rules/interest.ts'
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

/** The market has to be accrued, as for everything below that takes a turn. */
export const debtOf = ({ state, now }: Turn, loan: Loan): bigint => loan.principal + interestAt(state, loan, now)

/** Writes interest down, and lets more of it begin now. */
function settle({ state, now }: Turn, loan: Loan, owed: bigint): void {
  loan.interest = owed
  if (loan.rateBps === 0n) loan.settledTo = state.pool.index
  else if (now > loan.settledTo) loan.settledTo = now
}

/**
 * Open interest of a variable loan moves with the index: the same amount is interest on the principal since another index,
 * rounded up. Only where it would not be the same amount, it is written down.
 */
function keepInterest(turn: Turn, loan: Loan, product: bigint, owed: bigint): void {
  const { index } = turn.state.pool
  if (loan.interest === 0n && loan.principal !== 0n) {
    const growth = divideUp(product, loan.principal)
    if (growth <= index && loanInterestUp(loan.principal, growth) === owed) {
      loan.settledTo = index - growth
      return
    }
  }
  settle(turn, loan, owed)
}

/** More principal of a variable loan, whose interest stays what it is. */
export function addPrincipal(turn: Turn, loan: Loan, amount: bigint): void {
  const owed = interestAt(turn.state, loan, turn.now)
  const product = loan.principal * (turn.state.pool.index - loan.settledTo)
  loan.principal += amount
  keepInterest(turn, loan, product, owed)
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

export function reduceDebt(turn: Turn, loan: Loan, principal: bigint, interest: bigint): void {
  const { state, now } = turn
  const owed = interestAt(state, loan, now)
  const product = loan.rateBps === 0n ? loan.principal * (state.pool.index - loan.settledTo) : 0n
  loan.principal -= principal
  if (interest === owed || loan.rateBps !== 0n) settle(turn, loan, owed - interest)
  else keepInterest(turn, loan, lessAtLeastZero(product, interest * wad * yearSeconds), owed - interest)
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
