import { divideDown } from '../rules/arithmetic.ts'
import { auctionPriceUp } from '../rules/auction-price.ts'
import { capacityDown, healthFactorDown } from '../rules/health.ts'
import { poolScale } from '../rules/interest.ts'
import { assetsForDown } from '../rules/shares.ts'
import { borrowable, interestOf, shareBase, totals } from './books.ts'
import { upToDate } from './liquidity.ts'
import { interestAt, realizationTermsOf } from './loan-books.ts'
import { storedPrice } from './oracle.ts'
import type { Auction, LendingState, Loan, Party } from './state.ts'
import { auctionElapsed, pausedSeconds } from './venue.ts'

const noHealthFactor = 2n ** 256n - 1n

/** What the market says about its pool at `now`. */
export function poolFigures(state: LendingState, now: bigint) {
  const { pool } = state
  const interest = interestOf(state, now)
  const book = totals(state)
  return {
    cash: pool.cash,
    totalBorrowed: book.principal,
    totalLiquidity: pool.cash + book.principal,
    borrowable: borrowable(state),
    interestGross: divideDown(interest.interestScaled, poolScale),
    totalAssets: shareBase(state, interest).totalAssets,
    totalShares: pool.totalShares,
    carriedClaims: book.carried,
    heldProceeds: book.held,
    escrowedSurplus: 0n,
    infrastructureFees: pool.infrastructureFees,
    operatorFees: pool.operatorFees,
    distributorFees: pool.distributorFees,
    protocolFees: pool.protocolFees,
    totalCollateral: book.collateral,
    borrowRateWad: pool.rateWad,
    loanCounter: BigInt(state.loans.size),
    activeLoans: book.activeLoans,
    realizationCounter: BigInt(state.realizations.size),
    proposalCounter: 0n,
    openAuctions: book.openAuctions,
    epoch: pool.epoch,
  }
}

export function loanFigures(state: LendingState, loan: Loan, now: bigint) {
  const interest = interestAt(state, loan, now)
  const { liquidationThresholdBps } = realizationTermsOf(state, loan)
  const debt = loan.principal + interest
  return {
    principal: loan.principal,
    interest,
    collateral: loan.collateral,
    rateBps: loan.rateBps,
    dueAt: loan.dueAt,
    effectiveDueAt: loan.dueAt,
    gracePeriod: loan.gracePeriod,
    termPenaltyBps: loan.termPenaltyBps,
    healthFactor:
      healthFactorDown(loan.collateral, storedPrice(state), liquidationThresholdBps, debt) ?? noHealthFactor,
  }
}

export function positionFigures(state: LendingState, provider: Party) {
  const { shares, owedFees } = upToDate(state, provider)
  return { shares, fees: owedFees }
}

/** What `shares` are worth. */
export function shareValueDown(state: LendingState, shares: bigint, now: bigint): bigint {
  return assetsForDown(shares, shareBase(state, interestOf(state, now)))
}

export function maxBorrowDown(state: LendingState, collateral: bigint): bigint {
  return capacityDown(collateral, storedPrice(state), state.config.collateralFactorBps)
}

export function auctionFigures(state: LendingState, auction: Auction, now: bigint) {
  const paused = pausedSeconds(state, now) - auction.pausedBefore
  return {
    currentPrice: auction.isActive ? auctionPriceUp(auction, auctionElapsed(state, auction, now)) : 0n,
    endTime: auction.startedAt + auction.durationSeconds + paused,
    remaining: auction.remaining,
    collateral: auction.collateral,
    oraclePrice: auction.oraclePrice,
  }
}
