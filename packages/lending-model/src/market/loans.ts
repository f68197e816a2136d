import { divideUp, lesser, wad } from '../rules/arithmetic.ts'
import { flatFeeDown, measurePayment } from '../rules/fees.ts'
import { capacityDown, healthFactorDown } from '../rules/health.ts'
import { accrue, bookFlatFee, bookInterestCash, borrowable, refreshRate, totals } from './books.ts'
import {
  addPrincipal,
  closeLoanBooks,
  collateralOf,
  debtOf,
  openLoanOf,
  ownLoanOf,
  realizationTermsOf,
  reduceDebt,
} from './loan-books.ts'
import { freshPrice } from './oracle.ts'
import { demand, move } from './refusal.ts'
import type { LendingState, Loan, Party, Turn } from './state.ts'

export function openLoan(turn: Turn, collateral: bigint, amount: bigint): void {
  const { state, now, caller } = turn
  const { terms } = state
  demand(!state.isPaused, 'MarketIsPaused')
  demand(terms.terminalDueAt === 0n || now < terms.terminalDueAt, 'MarketTermExpired')
  demand(collateral > 0n, 'InvalidAmount')
  demand(amount > 0n && amount >= state.config.minBorrowAmount, 'BelowMinBorrow')
  demandCapacity(turn, amount, collateral)
  accrue(turn)
  demand(amount <= borrowable(state), 'InsufficientLiquidity')
  demandCaps(state, caller, collateral)
  const isStamped = state.offer.mode === 'FIXED'
  const loan: Loan = {
    borrower: caller,
    status: 'ACTIVE',
    principal: amount,
    interest: 0n,
    settledTo: isStamped ? now : state.pool.index,
    collateral,
    rateBps: state.offer.mode === 'FIXED' ? state.offer.fixedBps : 0n,
    dueAt: 0n,
    gracePeriod: 0n,
    termPenaltyBps: 0n,
    ...agreedTerms(state),
    minBorrowUnits: minBorrowUnitsUp(state),
  }
  const dueAt = maturity(state, now)
  if (dueAt > 0n) Object.assign(loan, { dueAt, gracePeriod: terms.gracePeriod, termPenaltyBps: terms.termPenaltyBps })
  state.loans.set(BigInt(state.loans.size + 1), loan)
  payOut(turn, amount)
  move(state.collaterals, caller, 'adapter', collateral)
}

/** Whoever draws agrees to the terms of today. */
function agreedTerms({ config: { liquidationThresholdBps, liquidationPenaltyBps } }: LendingState) {
  return { liquidationThresholdBps, liquidationPenaltyBps }
}

function minBorrowUnitsUp({ config, assetDecimals }: LendingState): bigint {
  return lesser(divideUp(config.minBorrowAmount, 10n ** assetDecimals), 2n ** 24n - 1n)
}

/** The loan's own duration, at most the market's last day; 0: none. */
function maturity({ terms }: LendingState, now: bigint): bigint {
  if (terms.maxLoanDuration === 0n) return terms.terminalDueAt
  const own = now + terms.maxLoanDuration
  return terms.terminalDueAt === 0n ? own : lesser(own, terms.terminalDueAt)
}

export function borrowMore(turn: Turn, loanId: bigint, amount: bigint): void {
  const { state, now } = turn
  const { terminalDueAt } = state.terms
  demand(!state.isPaused, 'MarketIsPaused')
  const loan = ownLoanOf(turn, loanId)
  demand(amount > 0n, 'InvalidAmount')
  demand(loan.rateBps === 0n, 'FixedRateLoan')
  demand(loan.dueAt === 0n || now <= loan.dueAt, 'LoanPastDue')
  demand(terminalDueAt === 0n || now < terminalDueAt, 'MarketTermExpired')
  accrue(turn)
  demandCapacity(turn, debtOf(turn, loan) + amount, loan.collateral)
  demand(amount <= borrowable(state), 'InsufficientLiquidity')
  addPrincipal(turn, loan, amount)
  Object.assign(loan, agreedTerms(state))
  payOut(turn, amount)
}

/** The whole amount leaves the pool; the fee of it stays in the market for its owners. */
function payOut(turn: Turn, amount: bigint): void {
  const { state, caller } = turn
  const fee = flatFeeDown(state.openFee, amount)
  state.pool.cash -= amount
  bookFlatFee(state, fee)
  refreshRate(turn)
  move(state.assets, 'market', caller, amount - fee)
}

/** Anyone may pay. Interest first, then principal; nothing left closes the loan and gives the collateral back. */
export function repay(turn: Turn, loanId: bigint, amount: bigint): void {
  const { state, caller } = turn
  const loan = openLoanOf(state, loanId)
  demand(amount > 0n, 'InvalidAmount')
  accrue(turn)
  const debt = debtOf(turn, loan)
  demand(debt > 0n, 'NoOutstandingDebt')
  const { paid, discharged, fee } = measurePayment(state.repayFee, debt, amount)
  demand(discharged > 0n, 'InvalidAmount')
  const interest = lesser(discharged, debt - loan.principal)
  reduceDebt(turn, loan, discharged - interest, interest)
  state.pool.cash += discharged - interest
  bookInterestCash(state, interest, state.pool.insurancePart)
  bookFlatFee(state, fee)
  if (discharged === debt) closeLoanBooks(state, loan)
  refreshRate(turn)
  move(state.assets, caller, 'market', paid)
}

export function closeLoan(turn: Turn, loanId: bigint): void {
  const loan = ownLoanOf(turn, loanId)
  accrue(turn)
  demand(debtOf(turn, loan) === 0n, 'DebtOutstanding')
  closeLoanBooks(turn.state, loan)
}

export function addCollateral(turn: Turn, loanId: bigint, amount: bigint): void {
  const { state, caller } = turn
  const loan = ownLoanOf(turn, loanId)
  demand(amount > 0n, 'InvalidAmount')
  demandCaps(state, caller, amount)
  loan.collateral += amount
  move(state.collaterals, caller, 'adapter', amount)
}

export function withdrawCollateral(turn: Turn, loanId: bigint, amount: bigint): void {
  const { state, now } = turn
  const loan = ownLoanOf(turn, loanId)
  demand(amount > 0n && amount <= loan.collateral, 'InsufficientCollateral')
  accrue(turn)
  const debt = debtOf(turn, loan)
  loan.collateral -= amount
  if (debt > 0n) {
    demand(!state.isPaused, 'MarketIsPaused')
    const price = freshPrice(state, now)
    const { liquidationThresholdBps } = realizationTermsOf(state, loan)
    const health = healthFactorDown(loan.collateral, price, liquidationThresholdBps, debt)
    demand(health === undefined || health >= wad, 'WouldBreachHealth')
  }
  move(state.collaterals, 'adapter', loan.borrower, amount)
}

function demandCapacity({ state, now }: Turn, debt: bigint, collateral: bigint): void {
  const price = freshPrice(state, now)
  demand(debt <= capacityDown(collateral, price, state.config.collateralFactorBps), 'ExceedsMaxBorrow')
}

function demandCaps(state: LendingState, borrower: Party, added: bigint): void {
  const { maxTotalCollateral, maxUserCollateral } = state.config
  const inMarket = totals(state).collateral + added
  const ofBorrower = collateralOf(state, borrower) + added
  demand(maxTotalCollateral === 0n || inMarket <= maxTotalCollateral, 'SupplyCapExceeded')
  demand(maxUserCollateral === 0n || ofBorrower <= maxUserCollateral, 'UserSupplyCapExceeded')
}
