import { generationOf } from '../registers/index.rules.ts'
import type { CandidateMarket } from './candidate-market.reads.ts'
import type { RateTerms } from './queue-details.reads.ts'

const rateModes = ['CURVE', 'CLAMPED', 'FIXED'] as const

/** What a lender would take over: rate, risk and terms. Null: the market did not say. */
export function offeringOf({ settings, version }: CandidateMarket, rates: RateTerms | null) {
  if (!settings || !rates) return null
  const { config, terms, reserveRatioBps } = settings
  return {
    generation: generationOf(version),
    curve: rates.curve,
    rateMode: rateModes[rates.offer.mode] ?? 'CURVE',
    rateFloorBps: rates.offer.floorBps,
    rateCapBps: rates.offer.capBps,
    fixedStampRateBps: rates.offer.fixedBps || null,
    maxFixedRateBps: rates.maxFixedRateBps || null,
    reserveRatioBps,
    risk: {
      collateralFactorBps: config.collateralFactorBps,
      liquidationThresholdBps: config.liquidationThresholdBps,
      liquidationPenaltyBps: config.liquidationPenaltyBps,
      protocolFeeRateBps: config.protocolFeeBps,
      closeFactorBps: config.closeFactorBps,
      minBorrowAmount: config.minBorrowAmount.toString(),
    },
    terms: {
      maxLoanDurationSeconds: terms.maxLoanDuration,
      termGracePeriodSeconds: terms.gracePeriod,
      terminalDueDate: terms.terminalDueAt || null,
      termPenaltyBps: terms.termPenaltyBps,
      allowExtension: terms.isExtensionAllowed,
    },
  }
}
