import { zeroAddress } from 'viem'
import { type Refuse, refuse as refuseAny } from '../../platform/app-error.ts'
import { contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import type { NamedResults } from '../../platform/chain/named-reads.ts'
import { abis } from '../contracts.ts'
import type { Market } from '../core/index.rules.ts'
import { ageOf, type SignedPrice } from '../oracle/index.rules.ts'
import { priceReads, pushRead, requireAcceptedPrice } from '../oracle/index.ts'
import { isOpen, type LoanOnChain, type LoanTermsAnswer, type RealizationTerms, statusOf } from './loan.rules.ts'

export const loanRead = (market: Market, loanId: bigint) => contractRead(market.address, abis.market, 'loan', [loanId])

/** Threshold and penalty of one loan. Markets before version 3 do not answer: there the settings of now count for every loan. */
export const loanTermsRead = (market: Market, loanId: bigint) =>
  contractRead(market.address, abis.market, 'loanTerms', [loanId])

/** The terms by which a loan is realized, as the market answered them, or else its settings. */
export function realizationTermsOf(answer: LoanTermsAnswer | null, settings: RealizationTerms): RealizationTerms {
  const [thresholdBps, penaltyBps] = answer ?? [0n, 0n]
  const { liquidationThresholdBps, liquidationPenaltyBps } = settings
  // The market answers zeros for a loan that there is not.
  if (thresholdBps === 0n) return { liquidationThresholdBps, liquidationPenaltyBps }
  return { liquidationThresholdBps: Number(thresholdBps), liquidationPenaltyBps: Number(penaltyBps) }
}

export const answered = <T>(result: ReadResult<T> | undefined): T | null => (result?.ok ? result.value : null)

/** The rules of the market that decide about a loan, by name, for one round trip with whatever else is asked. */
export function ruleReads({ address }: Market) {
  return {
    config: contractRead(address, abis.market, 'config', []),
    parts: contractRead(address, abis.market, 'parts', []),
    paused: contractRead(address, abis.market, 'isPaused', []),
    flatFees: contractRead(address, abis.market, 'flatFees', []),
  } as const
}

/** The rules, if the market answered. */
export function requireRules(
  results: NamedResults<ReturnType<typeof ruleReads>>,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE'> = refuseAny,
) {
  const { config, parts, paused, flatFees } = results
  if (!config.ok || !parts.ok || !paused.ok || !flatFees.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  const [openFee, repayFee] = flatFees.value
  return { config: config.value, parts: parts.value, isPaused: paused.value, openFee, repayFee }
}

/** A market that lends: somebody has adopted it. */
export function requireCurator(
  { parts }: { parts: { operator: string } },
  refuse: Refuse<'MARKET_PENDING_CURATOR'> = refuseAny,
): void {
  if (parts.operator === zeroAddress) throw refuse('MARKET_PENDING_CURATOR')
}

export function requireLoan(
  result: ReadResult<LoanOnChain>,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE' | 'LOAN_NOT_FOUND'> = refuseAny,
): LoanOnChain {
  if (!result.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  if (statusOf(result.value) === 'NONE') throw refuse('LOAN_NOT_FOUND')
  return result.value
}

export function requireOpenLoan(
  result: ReadResult<LoanOnChain>,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE' | 'LOAN_NOT_FOUND' | 'LOAN_NOT_ACTIVE'> = refuseAny,
): LoanOnChain {
  const loan = requireLoan(result, refuse)
  if (!isOpen(loan)) throw refuse('LOAN_NOT_ACTIVE')
  return loan
}

/** What is asked of the oracle before a call that needs a fresh price. Reads that follow see a signed price as pushed. */
export function freshPriceReads({ oracle }: Market, signed: SignedPrice) {
  const [price, updatedAt, maxPriceAge] = priceReads(oracle)
  const pushed = signed.signature === '0x' ? [] : [pushRead(oracle, signed)]
  return { price, updatedAt, maxPriceAge, pushed } as const
}

/** The price that the call would use: the signed one if it carries one, else the stored one if that is fresh. */
export function requireFreshPrice(
  { price, updatedAt, maxPriceAge, pushed }: NamedResults<ReturnType<typeof freshPriceReads>>,
  signed: SignedPrice,
  chainTime: number,
  refuse: Refuse<'MARKET_STATE_UNAVAILABLE' | 'PRICE_STALE'> = refuseAny,
): bigint {
  if (!price.ok || !updatedAt.ok || !maxPriceAge.ok) throw refuse('MARKET_STATE_UNAVAILABLE')
  const [verdict] = pushed
  if (verdict) {
    requireAcceptedPrice(verdict)
    return signed.price
  }
  if (ageOf(updatedAt.value, maxPriceAge.value, chainTime).isStale) throw refuse('PRICE_STALE')
  return price.value
}
