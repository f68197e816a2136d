import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Refuse } from '../../platform/app-error.ts'
import { type Bid, MAX_BID_BPS, MIN_BID_BPS, SHORTEST_BID_SECONDS } from './atomic.rules.ts'

/** The router keeps times in 40 bits. */
const LATEST = 2 ** 40 - 1

interface Offered {
  readonly priceFactorBps: number
  readonly validUntil?: number
}

/** A bid that the router would take, or none. */
export function requireBid(
  { priceFactorBps, validUntil }: Offered,
  chainTime: number,
  refuse: Refuse<'INVALID_SALE_BID'>,
) {
  if (priceFactorBps === 0) return { priceFactorBps, validUntil: 0 }
  if (priceFactorBps < MIN_BID_BPS || priceFactorBps > MAX_BID_BPS)
    throw refuse('INVALID_SALE_BID', { detail: `priceFactorBps is 0, or ${MIN_BID_BPS} to ${MAX_BID_BPS}.` })
  if (validUntil === undefined || validUntil < chainTime + SHORTEST_BID_SECONDS || validUntil > LATEST)
    throw refuse('INVALID_SALE_BID', {
      detail: 'validUntil is unix seconds of chain time, at least a minute from now.',
    })
  return { priceFactorBps, validUntil }
}

interface WantedBid {
  readonly priceFactorBps: number
  readonly validUntil: number
  /** Null: it stays as it is. */
  readonly allowance: bigint | null
}

/** What stands now. */
interface Standing {
  readonly bid: Bid
  readonly allowance: bigint | null
  readonly isAtomic: boolean
  readonly isLenderSide: boolean
}

export function isUnchanged({ bid, allowance }: Standing, wanted: WantedBid): boolean {
  if (wanted.allowance !== null && wanted.allowance !== allowance) return false
  if (Number(bid.priceFactorBps) !== wanted.priceFactorBps) return false
  return wanted.priceFactorBps === 0 || Number(bid.validUntil) === wanted.validUntil
}

const warnings = {
  FUNDS_STAY_IN_WALLET: 'Nothing is set aside: whoever buys must hold the cash when a liquidation comes.',
  BID_BELOW_PAR: 'The bid is below the oracle price: borrowers lose the difference.',
  NO_ALLOWANCE: 'The router may take nothing yet: sales revert until it may.',
  BID_CLEARED_IN_ATOMIC_MODE: 'The market sells at once: without a bid its liquidations revert.',
  SALE_RECIPIENT_LENDER_SIDE: 'The sale recipient is the operator wallet of the market: the lender buys from itself.',
} as const

export function warningsOf({ isAtomic, allowance, isLenderSide }: Standing, wanted: WantedBid) {
  const isBid = wanted.priceFactorBps !== 0
  const applies: Record<keyof typeof warnings, boolean> = {
    FUNDS_STAY_IN_WALLET: true,
    BID_BELOW_PAR: isBid && wanted.priceFactorBps < 10_000,
    NO_ALLOWANCE: isBid && (wanted.allowance ?? allowance) === 0n,
    BID_CLEARED_IN_ATOMIC_MODE: !isBid && isAtomic,
    SALE_RECIPIENT_LENDER_SIDE: isLenderSide,
  }
  const codes = Object.keys(warnings) as (keyof typeof warnings)[]
  return codes.filter((code) => applies[code]).map((code) => ({ code, message: warnings[code] }))
}

export const describeBid = (priceFactorBps: number): string =>
  priceFactorBps === 0
    ? 'Withdraws the standing bid.'
    : `Bids ${formatUnits(BigInt(priceFactorBps), 2)} percent of the oracle price for what is liquidated.`
