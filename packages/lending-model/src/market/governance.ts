import { maxRateBps, type RateOffer } from '../rules/interest.ts'
import { accrue, refreshRate } from './books.ts'
import { demand, move } from './refusal.ts'
import type { LoanTerms, MarketConfig, Party, Turn } from './state.ts'
import { pausedSeconds } from './venue.ts'

const day = 86_400n

function within(value: bigint, lowest: bigint, highest: bigint): boolean {
  return value >= lowest && value <= highest
}

export function setConfig(turn: Turn, next: MarketConfig): void {
  const { state, caller } = turn
  demand(caller === 'admin', 'NotAuthorized')
  const { config, terms } = state
  const step = next.liquidationThresholdBps - config.liquidationThresholdBps
  demand(within(next.collateralFactorBps, 1_000n, 9_000n), 'InvalidConfig')
  demand(within(next.liquidationThresholdBps, next.collateralFactorBps + 1n, 9_500n), 'InvalidConfig')
  demand(within(step, -1_000n, 1_000n), 'ConfigChangeTooLarge')
  demand(within(next.liquidationPenaltyBps, terms.termPenaltyBps, 5_000n), 'InvalidConfig')
  demand(within(next.protocolFeeBps, 0n, 10_000n), 'InvalidConfig')
  demand(within(next.closeFactorBps, 1_000n, 5_000n), 'InvalidConfig')
  demand(within(next.auctionDuration, 600n, day), 'InvalidConfig')
  demand(within(next.auctionStartBps, 10_000n, 20_000n), 'InvalidConfig')
  demand(within(next.auctionMinBps, 8_000n, 10_000n), 'InvalidConfig')
  demand(!next.useDutchAuction || next.auctionStartBps > next.auctionMinBps, 'InvalidConfig')
  accrue(turn)
  state.config = { ...next }
}

export function setTermConfig({ state, now, caller }: Turn, next: LoanTerms): void {
  demand(caller === 'admin', 'NotAuthorized')
  const hasTerms = next.maxLoanDuration > 0n || next.terminalDueAt > 0n
  demand(next.maxLoanDuration === 0n || within(next.maxLoanDuration, day, 3_650n * day), 'InvalidTermConfig')
  demand(next.terminalDueAt === 0n || next.terminalDueAt > now, 'InvalidTermConfig')
  demand(within(next.gracePeriod, day, 30n * day), 'InvalidTermConfig')
  demand(next.termPenaltyBps <= state.config.liquidationPenaltyBps, 'InvalidTermConfig')
  demand(hasTerms || next.termPenaltyBps === 0n, 'InvalidTermConfig')
  demand(next.maxLoanDuration > 0n || state.offer.mode !== 'FIXED', 'TermsRequiredByFixedRate')
  state.terms = { ...next }
}

/** Interest so far is settled under the old mode. */
export function setRateMode(turn: Turn, offer: RateOffer): void {
  const { state, caller } = turn
  demand(caller === 'admin', 'OwnableUnauthorizedAccount')
  if (offer.mode === 'CLAMPED') {
    demand(within(offer.capBps, 1n, maxRateBps) && within(offer.floorBps, 0n, offer.capBps), 'InvalidRateOffer')
  }
  if (offer.mode === 'FIXED') {
    demand(within(offer.fixedBps, 1n, maxRateBps), 'InvalidRateOffer')
    demand(state.terms.maxLoanDuration > 0n, 'FixedRateRequiresTerms')
  }
  accrue(turn)
  state.offer = offer
  refreshRate(turn)
}

export function setReserveRatio({ state, caller }: Turn, ratioBps: bigint): void {
  demand(caller === 'admin', 'NotAuthorized')
  demand(within(ratioBps, 0n, 5_000n), 'InvalidConfig')
  state.reserveRatioBps = ratioBps
}

export function setPaused({ state, now, caller }: Turn, isPaused: boolean): void {
  demand(caller === 'admin', 'NotAuthorized')
  if (state.isPaused === isPaused) return
  if (isPaused) state.pausedSince = now
  else state.pausedTotal = pausedSeconds(state, now)
  state.isPaused = isPaused
}

export function setOperatorFeeRecipient({ state, caller }: Turn, next: Party): void {
  demand(caller === state.operator, 'NotOperator')
  state.operator = next
}

export function syncRate(turn: Turn): void {
  accrue(turn)
  refreshRate(turn)
}

export function topUpFund({ state, caller }: Turn, amount: bigint): void {
  demand(amount > 0n, 'AmountOutOfRange')
  move(state.assets, caller, 'fund', amount)
}

export function emergencyWithdraw({ state, caller }: Turn, amount: bigint): void {
  demand(caller === 'admin', 'OwnableUnauthorizedAccount')
  demand(amount > 0n && amount <= (state.assets.get('fund') ?? 0n), 'AmountOutOfRange')
  move(state.assets, 'fund', caller, amount)
}

export function setFundAuthorized({ state, caller }: Turn, isAuthorized: boolean): void {
  demand(caller === 'admin', 'OwnableUnauthorizedAccount')
  state.isFundAuthorized = isAuthorized
}
