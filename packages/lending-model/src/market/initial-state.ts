import type { RateCurve } from '../rules/interest.ts'
import { variableRateDown } from '../rules/interest.ts'
import type { LendingState, Party } from './state.ts'

const day = 86_400n

export interface MarketBirth {
  assetDecimals: bigint
  collateralDecimals: bigint
  openFee: bigint
  repayFee: bigint
  curve: RateCurve
  maxLoanDuration: bigint
  initialPrice: bigint
  deployedAt: bigint
  operator: Party
  assets: ReadonlyMap<Party, bigint>
  collaterals: ReadonlyMap<Party, bigint>
}

/** A market that has just been adopted, with the defaults of its deployment. */
export function initialState(birth: MarketBirth): LendingState {
  const { deployedAt, initialPrice, curve } = birth
  return {
    assetDecimals: birth.assetDecimals,
    collateralDecimals: birth.collateralDecimals,
    openFee: birth.openFee,
    repayFee: birth.repayFee,
    curve,
    offer: { mode: 'CURVE' },
    config: {
      collateralFactorBps: 7_500n,
      liquidationThresholdBps: 8_500n,
      liquidationPenaltyBps: 500n,
      protocolFeeBps: 0n,
      closeFactorBps: 5_000n,
      useDutchAuction: false,
      auctionDuration: 3_600n,
      auctionStartBps: 13_000n,
      auctionMinBps: 9_500n,
      minBorrowAmount: 100n * 10n ** birth.assetDecimals,
      maxTotalCollateral: 0n,
      maxUserCollateral: 0n,
    },
    terms: { maxLoanDuration: birth.maxLoanDuration, gracePeriod: 3n * day, terminalDueAt: 0n, termPenaltyBps: 0n },
    reserveRatioBps: 0n,
    operator: birth.operator,
    isPaused: false,
    pausedSince: 0n,
    pausedTotal: 0n,
    isFundAuthorized: true,
    isAtomic: false,
    bid: { factorBps: 0n, validUntil: 0n },
    oracle: {
      price: initialPrice,
      updatedAt: deployedAt,
      maxPriceAge: day,
      maxDeviationBps: 5_000n,
      windowPrice: initialPrice,
      windowOpenedAt: deployedAt,
    },
    pool: {
      cash: 0n,
      totalShares: 0n,
      epoch: 0n,
      index: 0n,
      accruedAt: deployedAt,
      rateWad: variableRateDown(curve, { mode: 'CURVE' }, 0n, 0n),
      interestScaled: 0n,
      insurancePart: 0n,
      infrastructureFees: 0n,
      operatorFees: 0n,
      protocolFees: 0n,
      distributorFees: 0n,
      distributorPerShare: 0n,
      epochEndPerShare: new Map(),
      positions: new Map(),
    },
    loans: new Map(),
    realizations: new Map(),
    arrears: new Map(),
    routed: new Map(),
    auctions: new Map(),
    assets: new Map(birth.assets),
    collaterals: new Map(birth.collaterals),
  }
}
