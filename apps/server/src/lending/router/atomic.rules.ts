import type { realizationModes } from '@tallystick/wire'
import type { PriceSource } from '../core/index.rules.ts'

const BPS = 10_000n
export const MIN_BID_BPS = 9_500 as const
export const MAX_BID_BPS = 20_000 as const
/** A bid that could end before it is mined is no bid. */
export const SHORTEST_BID_SECONDS = 60

export type RealizationMode = (typeof realizationModes)[number]

const basisReasons = {
  PRICE_SOURCE_NOT_MARKET: 'The market is priced by net asset value, not at market prices.',
  REALIZATION_PATH_NOT_EXCHANGE_SALE: 'The lender of record did not declare to realize collateral by exchange sale.',
  REALIZATION_PATH_UNREAD: 'It could not be read how the lender of record declared to realize collateral.',
} as const

/** Whether a market may sell in one step at all. `mode` null: it could not be read. */
export function saleBasis(priceSource: PriceSource, mode: RealizationMode | null) {
  const reasonCode =
    priceSource !== 'MARKET'
      ? 'PRICE_SOURCE_NOT_MARKET'
      : mode === null
        ? 'REALIZATION_PATH_UNREAD'
        : mode === 'EXCHANGE_SALE'
          ? null
          : 'REALIZATION_PATH_NOT_EXCHANGE_SALE'
  return {
    available: reasonCode === 'REALIZATION_PATH_UNREAD' ? null : reasonCode === null,
    priceSource,
    realizationMode: mode,
    reasonCode,
    reason: reasonCode && basisReasons[reasonCode],
  }
}

export interface Bid {
  readonly priceFactorBps: bigint
  readonly validUntil: bigint
}

/** The lowest bid that the router takes: the auction floor of the market, held between 95 and 100 percent. */
export function bidFloor(auctionMinBps: number): number {
  return Math.min(Math.max(auctionMinBps, MIN_BID_BPS), Number(BPS))
}

const isExpired = ({ validUntil }: Bid, chainTime: number) => BigInt(chainTime) > validUntil
const isSet = ({ priceFactorBps }: Bid) => priceFactorBps !== 0n

/** A bid as answers show it. */
export function shownBid(bid: Bid, floorBps: number, chainTime: number) {
  const expired = isSet(bid) && isExpired(bid, chainTime)
  return {
    priceFactorBps: Number(bid.priceFactorBps),
    priceFactorE18: (bid.priceFactorBps * 10n ** 14n).toString(),
    validUntil: Number(bid.validUntil),
    validUntilIso: validUntilIso(bid),
    set: isSet(bid),
    live: isSet(bid) && !expired && Number(bid.priceFactorBps) >= floorBps,
    expired,
  }
}

/** The largest second that a date can show. */
const LAST_DATE = 8_640_000_000_000n

export const validUntilIso = ({ validUntil }: Pick<Bid, 'validUntil'>): string | null =>
  validUntil === 0n || validUntil > LAST_DATE ? null : new Date(Number(validUntil) * 1000).toISOString()

/** What the buyer pays per whole token, and for a whole liquidation: rounded like the router does. */
export function offerOf(oraclePrice: bigint, { priceFactorBps }: Bid, collateral: bigint, decimals: number) {
  const price = (oraclePrice * priceFactorBps) / BPS
  const scale = 10n ** BigInt(decimals)
  return { price, payment: (collateral * price + scale - 1n) / scale }
}

const buyerReasons = {
  NO_BID: 'The sale recipient has no standing bid.',
  BID_EXPIRED: 'The bid of the sale recipient has expired.',
  SELF_PURCHASE: 'The sale recipient is the borrower: its own loans are sold in two steps.',
  BID_BELOW_FLOOR: 'The bid is below the floor of the market by now.',
  PRICE_STALE: 'The price of the oracle is too old to sell at.',
  ALLOWANCE_SHORT: 'The router may not take enough from the wallet of the sale recipient.',
  BALANCE_SHORT: 'The sale recipient does not hold enough of the borrow asset.',
  DELIVERY_REFUSED: 'The collateral token refuses the delivery to the sale recipient.',
} as const

export type BuyerReason = keyof typeof buyerReasons
export const buyerReason = (code: BuyerReason): string => buyerReasons[code]

interface Purse {
  readonly allowance: bigint
  readonly balance: bigint
  /** What has to be paid; 1 where no liquidation is meant: then anything will do. */
  readonly payment: bigint
}

interface Offer extends Purse {
  readonly bid: Bid
  readonly floorBps: number
  readonly chainTime: number
  readonly isStale: boolean
  readonly isBorrower: boolean
}

/** What is wrong with a standing bid; null: nothing. `isBorrower`: the buyer would buy its own collateral. */
export function bidProblem(bid: Bid, floorBps: number, chainTime: number, isBorrower = false): BuyerReason | null {
  if (!isSet(bid)) return 'NO_BID'
  if (isExpired(bid, chainTime)) return 'BID_EXPIRED'
  if (isBorrower) return 'SELF_PURCHASE'
  return Number(bid.priceFactorBps) < floorBps ? 'BID_BELOW_FLOOR' : null
}

/** Whether the buyer cannot pay; null: it can. */
export function purseProblem({ payment, allowance, balance }: Purse): BuyerReason | null {
  if (allowance < payment) return 'ALLOWANCE_SHORT'
  return balance < payment ? 'BALANCE_SHORT' : null
}

/** Why the sale recipient cannot buy now; null: it can. */
export function buyerProblem(offer: Offer): BuyerReason | null {
  const { bid, floorBps, chainTime, isBorrower, isStale } = offer
  return bidProblem(bid, floorBps, chainTime, isBorrower) ?? (isStale ? 'PRICE_STALE' : purseProblem(offer))
}
