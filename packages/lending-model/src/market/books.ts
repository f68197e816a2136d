import { bps, divideDown, greater, lessAtLeastZero, sum } from '../rules/arithmetic.ts'
import { meanPartDown, providersPartDown, splitFlatFeeDown, splitInterestDown } from '../rules/fees.ts'
import { bookInterestScaledDown, elapsedSeconds, poolScale, variableRateDown } from '../rules/interest.ts'
import type { ShareBase } from '../rules/shares.ts'
import { virtualShares } from '../rules/shares.ts'
import type { LendingState, Loan, Turn } from './state.ts'

const perShareScale = 10n ** 27n
const oneShare = 10n ** 18n

export function openLoans(state: LendingState): Loan[] {
  return [...state.loans.values()].filter((loan) => loan.status !== 'CLOSED')
}

/** Every total comes from the records it is the total of. */
export function totals(state: LendingState) {
  const loans = openLoans(state)
  const realizations = [...state.realizations.values()]
  return {
    principal: sum(loans.map((loan) => loan.principal)),
    variablePrincipal: sum(loans.map((loan) => (loan.rateBps === 0n ? loan.principal : 0n))),
    stampedPrincipalBps: sum(loans.map((loan) => loan.principal * loan.rateBps)),
    collateral: sum(loans.map((loan) => loan.collateral)),
    carried: sum(realizations.map((record) => record.carried)),
    held: sum(realizations.map((record) => record.held)),
    activeLoans: BigInt(loans.length),
    openAuctions: BigInt([...state.auctions.values()].filter((auction) => auction.isActive).length),
  }
}

/** The sum of rate x seconds, up to `now`. */
export function indexAt({ pool }: LendingState, now: bigint): bigint {
  return pool.index + pool.rateWad * elapsedSeconds(pool.accruedAt, now)
}

/** Interest that is not paid yet, and the insurance fund's part of it. */
export interface OpenInterest {
  interestScaled: bigint
  insurancePart: bigint
}

/** Interest of the whole book at `now`: what it accrued at a rate is split at that rate. */
export function interestOf(state: LendingState, now: bigint): OpenInterest {
  const { pool, config } = state
  const book = { ...totals(state), variableRateWad: pool.rateWad }
  const earned = bookInterestScaledDown(book, elapsedSeconds(pool.accruedAt, now))
  return {
    interestScaled: pool.interestScaled + earned,
    insurancePart:
      earned === 0n
        ? pool.insurancePart
        : meanPartDown(pool.insurancePart, pool.interestScaled, config.protocolFeeBps, earned),
  }
}

export function accrue({ state, now }: Turn): void {
  const accrued = { index: indexAt(state, now), ...interestOf(state, now) }
  Object.assign(state.pool, { ...accrued, accruedAt: greater(now, state.pool.accruedAt) })
}

export function refreshRate({ state }: Turn): void {
  const { principal } = totals(state)
  state.pool.rateWad = variableRateDown(state.curve, state.offer, principal, state.pool.cash + principal)
}

export function totalAssets(state: LendingState, { interestScaled, insurancePart }: OpenInterest): bigint {
  const { principal, carried } = totals(state)
  const interest = divideDown(interestScaled, poolScale)
  return state.pool.cash + principal + carried + providersPartDown(interest, insurancePart)
}

export function shareBase(state: LendingState, interest: OpenInterest = state.pool): ShareBase {
  return {
    totalAssets: totalAssets(state, interest),
    totalShares: state.pool.totalShares,
    virtualShares: virtualShares(state.assetDecimals),
  }
}

/** Cash beyond the reserve, which is a part of cash and loans together. */
export function borrowable(state: LendingState): bigint {
  const reserve = divideDown((state.pool.cash + totals(state).principal) * state.reserveRatioBps, bps)
  return lessAtLeastZero(state.pool.cash, reserve)
}

export function bookInterestCash(state: LendingState, interest: bigint, insurancePart: bigint): void {
  const parts = splitInterestDown(interest, insurancePart)
  state.pool.cash += parts.providers
  state.pool.protocolFees += parts.insurance
  bookShares(state, parts)
}

export function bookFlatFee(state: LendingState, fee: bigint): void {
  bookShares(state, splitFlatFeeDown(fee))
}

/** While nobody holds shares, or less than a whole one, the distributors' part is the operator's. */
function bookShares(
  { pool }: LendingState,
  parts: { infrastructure: bigint; operator: bigint; distributor: bigint },
): void {
  pool.infrastructureFees += parts.infrastructure
  pool.operatorFees += parts.operator
  if (pool.totalShares < oneShare) {
    pool.operatorFees += parts.distributor
  } else {
    pool.distributorFees += parts.distributor
    pool.distributorPerShare += divideDown(parts.distributor * perShareScale, pool.totalShares)
  }
}

export function feesForShares(shares: bigint, perShareGrowth: bigint): bigint {
  return divideDown(shares * perShareGrowth, perShareScale)
}

/** Interest that left the loans' books leaves the pool's: it was paid, or is part of a claim. */
export function dropInterest({ pool }: LendingState, interest: bigint): void {
  pool.interestScaled = lessAtLeastZero(pool.interestScaled, interest * poolScale)
}
