import { lesser } from '../rules/arithmetic.ts'
import { coverableGap, splitCash } from '../rules/waterfall.ts'
import { accrue, bookInterestCash, refreshRate } from './books.ts'
import { debtOf, reduceDebt } from './loan-books.ts'
import { demand, move } from './refusal.ts'
import type { Arrears, LendingState, Realization, Turn } from './state.ts'

const timeoutSeconds = 7n * 86_400n

export function realizationOf(state: LendingState, id: bigint): Realization {
  const record = state.realizations.get(id)
  demand(record !== undefined, 'RealizationNotFound')
  return record
}

/** Books cash that has arrived for a record, together with what auction fills brought. */
export function settleRealization(turn: Turn, id: bigint, amount: bigint): void {
  const record = realizationOf(turn.state, id)
  accrue(turn)
  const cash = amount + record.held
  record.held = 0n
  const isFirst = record.status === 'OPEN'
  record.carried = 0n
  if (isFirst) record.status = 'SETTLED'
  distribute(turn, record, cash, !isFirst)
  // Short at the first settlement: the fund is asked, the pool bears the rest.
  if (isFirst && record.recovered < record.claim) {
    coverClaim(turn.state, record, coverableGap(record.claim, cash, record.floorValue, record.isCountersigned))
  }
  refreshRate(turn)
}

/** A week after the seizure: the fund is asked for the whole claim, then cash of the auction counts as late. */
export function handleLiquidationTimeout(turn: Turn, id: bigint): void {
  demand(turn.caller === 'admin', 'NotAuthorized')
  const record = openRealizationOf(turn.state, id)
  demand(turn.now > record.seizedAt + timeoutSeconds, 'NotTimedOut')
  accrue(turn)
  record.status = 'WRITTEN_OFF'
  record.carried = 0n
  coverClaim(turn.state, record, record.claim)
  const { held } = record
  record.held = 0n
  distribute(turn, record, held, true)
  refreshRate(turn)
}

export function countersignSale({ state, caller }: Turn, id: bigint): void {
  demand(caller === 'admin', 'NotAuthorized')
  openRealizationOf(state, id).isCountersigned = true
}

function openRealizationOf(state: LendingState, id: bigint): Realization {
  const record = realizationOf(state, id)
  demand(record.status === 'OPEN', 'RealizationClosed')
  return record
}

export function arrearsOf(state: LendingState, loanId: bigint): Arrears {
  const known = state.arrears.get(loanId) ?? { lost: 0n, advanced: 0n }
  state.arrears.set(loanId, known)
  return known
}

/** What the fund pays: one that does not list the market pays nothing and blocks nothing. */
export function drawFund(state: LendingState, asked: bigint): bigint {
  const paid = state.isFundAuthorized ? lesser(asked, state.assets.get('fund') ?? 0n) : 0n
  move(state.assets, 'fund', 'market', paid)
  return paid
}

function coverClaim(state: LendingState, record: Realization, asked: bigint): void {
  const covered = drawFund(state, asked)
  record.covered += covered
  record.advanced += covered
  const arrears = arrearsOf(state, record.loanId)
  arrears.advanced += covered
  arrears.lost += record.claim - record.recovered - covered
  bookClaimCash(state, record, covered)
}

/** Principal first; only what is beyond it is interest and bears fees. */
function bookClaimCash(state: LendingState, record: Realization, amount: bigint): void {
  const principal = lesser(amount, record.principalOwed - record.principalRecovered)
  record.principalRecovered += principal
  state.pool.cash += principal
  bookInterestCash(state, amount - principal, record.insurancePart)
}

/** @param isLate The open rest of the claim is among what was lost, unless another sale of the loan made up for it. */
function distribute(turn: Turn, record: Realization, cash: bigint, isLate: boolean): void {
  if (cash === 0n) return
  const { state } = turn
  const loan = state.loans.get(record.loanId)
  demand(loan !== undefined, 'LoanNotFound')
  const loanDebt = loan.status === 'CLOSED' ? 0n : debtOf(turn, loan)
  const arrears = arrearsOf(state, record.loanId)
  const missing = record.claim - record.recovered - record.covered
  const claimOpen = isLate ? lesser(missing, arrears.lost) : missing
  const lost = isLate ? arrears.lost - claimOpen : arrears.lost
  const legs = splitCash(cash, { ...record, advanced: arrears.advanced, claimOpen, loanDebt, lost })
  record.recovered += legs.toClaim
  bookClaimCash(state, record, legs.toClaim)
  // The fund gets it with the next sweep.
  arrears.advanced -= legs.toFund
  state.pool.protocolFees += legs.toFund
  arrears.lost -= legs.recovered + (isLate ? legs.toClaim : 0n)
  record.keptPenalty += legs.penalty + legs.lastPenalty
  record.beyond += legs.debtApplied
  state.pool.cash += legs.penalty + legs.recovered + legs.lastPenalty
  if (legs.debtApplied > 0n) {
    const principal = lesser(legs.debtApplied, loan.principal)
    reduceDebt(turn, loan, principal, legs.debtApplied - principal)
    state.pool.cash += principal
    bookInterestCash(state, legs.debtApplied - principal, state.pool.insurancePart)
  }
  move(state.assets, 'market', loan.borrower, legs.surplus)
}
