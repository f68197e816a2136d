import type { RateCurve, RateOffer } from '../rules/interest.ts'

export type Party = string

export interface MarketConfig {
  collateralFactorBps: bigint
  liquidationThresholdBps: bigint
  liquidationPenaltyBps: bigint
  protocolFeeBps: bigint
  closeFactorBps: bigint
  useDutchAuction: boolean
  auctionDuration: bigint
  auctionStartBps: bigint
  auctionMinBps: bigint
  minBorrowAmount: bigint
  maxTotalCollateral: bigint
  maxUserCollateral: bigint
}

/** Seconds. */
export interface LoanTerms {
  maxLoanDuration: bigint
  gracePeriod: bigint
  terminalDueAt: bigint
  termPenaltyBps: bigint
}

export interface Loan {
  borrower: Party
  status: 'ACTIVE' | 'IN_AUCTION' | 'CLOSED'
  principal: bigint
  /** Besides what is open since `settledTo`: the index of a variable loan, the second of a stamped one. */
  interest: bigint
  settledTo: bigint
  collateral: bigint
  rateBps: bigint
  dueAt: bigint
  gracePeriod: bigint
  termPenaltyBps: bigint
  /** Agreed at the opening or the last draw: the loan keeps them, or better ones of today. */
  liquidationThresholdBps: bigint
  liquidationPenaltyBps: bigint
  /** The minimum at the opening, in whole units. */
  minBorrowUnits: bigint
}

export interface Realization {
  loanId: bigint
  seizedAt: bigint
  penaltyBps: bigint
  status: 'OPEN' | 'SETTLED' | 'WRITTEN_OFF'
  isTerm: boolean
  isAuction: boolean
  isCountersigned: boolean
  claim: bigint
  principalOwed: bigint
  totalDebt: bigint
  floorValue: bigint
  carried: bigint
  insurancePart: bigint
  held: bigint
  recovered: bigint
  covered: bigint
  advanced: bigint
  keptPenalty: bigint
  /** Debt beyond the claim: written off at the seizure, or paid by this record's cash. */
  beyond: bigint
  principalRecovered: bigint
}

/** What the realizations of a loan left unpaid: what the pool lost, and what the fund paid and did not get back. */
export interface Arrears {
  lost: bigint
  advanced: bigint
}

export interface RouterRecord {
  realizationId: bigint
  collateralAmount: bigint
  collateralRemaining: bigint
  proceedsCollected: bigint
  receivedAt: bigint
  isSettled: boolean
}

export interface Auction {
  realizationId: bigint
  loanId: bigint
  borrower: Party
  isActive: boolean
  startedAt: bigint
  pausedBefore: bigint
  oraclePrice: bigint
  startBps: bigint
  floorBps: bigint
  durationSeconds: bigint
  collateral: bigint
  remaining: bigint
}

export interface Position {
  shares: bigint
  epoch: bigint
  /** Distributor fees per share up to which `owedFees` is settled. */
  perShare: bigint
  owedFees: bigint
}

export interface Pool {
  cash: bigint
  totalShares: bigint
  epoch: bigint
  index: bigint
  accruedAt: bigint
  rateWad: bigint
  interestScaled: bigint
  /** The insurance fund's part of that interest, 10^12 is all. */
  insurancePart: bigint
  infrastructureFees: bigint
  operatorFees: bigint
  protocolFees: bigint
  distributorFees: bigint
  distributorPerShare: bigint
  epochEndPerShare: Map<bigint, bigint>
  positions: Map<Party, Position>
}

export interface Oracle {
  price: bigint
  updatedAt: bigint
  maxPriceAge: bigint
  maxDeviationBps: bigint
  windowPrice: bigint
  windowOpenedAt: bigint
}

export interface LendingState {
  assetDecimals: bigint
  collateralDecimals: bigint
  openFee: bigint
  repayFee: bigint
  curve: RateCurve
  offer: RateOffer
  config: MarketConfig
  terms: LoanTerms
  reserveRatioBps: bigint
  operator: Party
  isPaused: boolean
  pausedSince: bigint
  /** Seconds of all pauses that ended. */
  pausedTotal: bigint
  isFundAuthorized: boolean
  isAtomic: boolean
  bid: { factorBps: bigint; validUntil: bigint }
  oracle: Oracle
  pool: Pool
  loans: Map<bigint, Loan>
  realizations: Map<bigint, Realization>
  /** By loan. */
  arrears: Map<bigint, Arrears>
  routed: Map<bigint, RouterRecord>
  auctions: Map<bigint, Auction>
  /** Balances of the borrow asset and of the collateral token. */
  assets: Map<Party, bigint>
  collaterals: Map<Party, bigint>
}

/** One call: who, when, on what. */
export interface Turn {
  state: LendingState
  now: bigint
  caller: Party
}
