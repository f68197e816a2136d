import type { Address } from 'viem'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'

const BPS = 10_000n

const divUp = (numerator: bigint, denominator: bigint): bigint =>
  numerator === 0n ? 0n : (numerator - 1n) / denominator + 1n

/** What a bidder pays, as the venue rounds it. */
export const costUp = (amount: bigint, price: bigint, collateralDecimals: number): bigint =>
  divUp(amount * price, 10n ** BigInt(collateralDecimals))

/** An auction as the venue answers it, and what it makes of it now. */
export interface AuctionOnChain {
  readonly realizationId: bigint
  readonly loanId: bigint
  readonly oraclePrice: bigint
  readonly isActive: boolean
  readonly borrower: Address
  readonly startedAt: number
  readonly floorBps: number
  readonly collateral: bigint
  readonly remaining: bigint
  readonly claim: bigint
  readonly endTime: bigint
  readonly price: bigint
}

/** What holds for all auctions of a market. */
export interface VenueConditions {
  readonly chainTime: number
  readonly isPaused: boolean
  readonly isPriceStale: boolean
}

export const phaseOf = ({ isActive, endTime }: AuctionOnChain, chainTime: number) =>
  !isActive ? 'CLOSED' : BigInt(chainTime) >= endTime ? 'EXPIRED' : 'RUNNING'

export function shownAuction(market: Market, auctionId: bigint, auction: AuctionOnChain, now: VenueConditions) {
  const phase = phaseOf(auction, now.chainTime)
  const { collateral, remaining, claim } = auction
  const inCash = (raw: bigint) => formatUnits(raw, market.borrowDecimals)
  const inCollateral = (raw: bigint) => formatUnits(raw, market.collateralDecimals)
  return {
    auctionId: auctionId.toString(),
    loanId: auction.loanId.toString(),
    marketLiquidationId: auction.realizationId.toString(),
    borrower: auction.borrower.toLowerCase(),
    collateralAmount: inCollateral(collateral),
    collateralRemaining: inCollateral(remaining),
    debtRemaining: inCash(collateral === 0n ? 0n : divUp(claim * remaining, collateral)),
    currentPrice: inCash(auction.price),
    floorPrice: inCash(divUp(auction.oraclePrice * BigInt(auction.floorBps), BPS)),
    oraclePrice: inCash(auction.oraclePrice),
    startedAt: auction.startedAt,
    endTime: Number(auction.endTime),
    active: auction.isActive,
    expired: phase === 'EXPIRED',
    biddable: phase === 'RUNNING' && !now.isPaused && !now.isPriceStale,
    settleable: phase === 'EXPIRED',
    phase,
  } as const
}
