import { lessAtLeastZero, lesser } from '../rules/arithmetic.ts'
import { auctionPriceUp, costUp } from '../rules/auction-price.ts'
import { elapsedSeconds } from '../rules/interest.ts'
import { freshPrice, storedPrice } from './oracle.ts'
import { demand, move } from './refusal.ts'
import { receiveCollateral } from './router.ts'
import { realizationOf, settleRealization } from './settlement.ts'
import type { Auction, LendingState, Party, Turn } from './state.ts'

export interface Lot {
  realizationId: bigint
  loanId: bigint
  borrower: Party
  taken: bigint
  oraclePrice: bigint
}

export function startAuction({ state, now }: Turn, lot: Lot): void {
  const { config } = state
  state.auctions.set(BigInt(state.auctions.size + 1), {
    realizationId: lot.realizationId,
    loanId: lot.loanId,
    borrower: lot.borrower,
    isActive: true,
    startedAt: now,
    pausedBefore: pausedSeconds(state, now),
    oraclePrice: lot.oraclePrice,
    startBps: config.auctionStartBps,
    floorBps: config.auctionMinBps,
    durationSeconds: config.auctionDuration,
    collateral: lot.taken,
    remaining: lot.taken,
  })
}

export function bidOnAuction(turn: Turn, id: bigint, quantity: bigint, maxCost: bigint): void {
  const { state, now, caller } = turn
  const auction = activeAuctionOf(state, id)
  demand(!state.isPaused, 'MarketIsPaused')
  demand(auctionElapsed(state, auction, now) < auction.durationSeconds, 'AuctionHasExpired')
  demand(caller !== auction.borrower, 'BidderIsBorrower')
  demand(quantity > 0n, 'InvalidAmount')
  freshPrice(state, now)
  const bought = lesser(quantity, auction.remaining)
  const price = auctionPriceUp(auction, auctionElapsed(state, auction, now))
  const cost = costUp(bought, { ...storedPrice(state), price })
  demand(cost <= maxCost, 'CostAboveMaximum')
  auction.remaining -= bought
  realizationOf(state, auction.realizationId).held += cost
  move(state.assets, caller, 'market', cost)
  move(state.collaterals, 'venue', caller, bought)
  if (auction.remaining > 0n) return
  endAuction(state, auction)
  settleRealization(turn, auction.realizationId, 0n)
}

/** What was not sold goes to the router; what was earned stays with the record. */
export function settleExpiredAuction(turn: Turn, id: bigint): void {
  const { state, now, caller } = turn
  const auction = activeAuctionOf(state, id)
  demand(auctionElapsed(state, auction, now) >= auction.durationSeconds, 'AuctionNotExpired')
  demand(!state.isPaused || caller === 'liquidator', 'NotLiquidator')
  move(state.collaterals, 'venue', 'router', auction.remaining)
  receiveCollateral(turn, auction.realizationId, auction.remaining)
  auction.remaining = 0n
  endAuction(state, auction)
}

function endAuction(state: LendingState, auction: Auction): void {
  auction.isActive = false
  const loan = state.loans.get(auction.loanId)
  if (loan?.status === 'IN_AUCTION') loan.status = 'ACTIVE'
}

function activeAuctionOf(state: LendingState, id: bigint): Auction {
  const auction = state.auctions.get(id)
  demand(auction !== undefined, 'AuctionNotFound')
  demand(auction.isActive, 'AuctionNotActive')
  return auction
}

/** Seconds of all pauses up to now: the clock of an auction stands still meanwhile. */
export function pausedSeconds(state: LendingState, now: bigint): bigint {
  return state.pausedTotal + (state.isPaused ? elapsedSeconds(state.pausedSince, now) : 0n)
}

export function auctionElapsed(state: LendingState, auction: Auction, now: bigint): bigint {
  const paused = pausedSeconds(state, now) - auction.pausedBefore
  return lessAtLeastZero(elapsedSeconds(auction.startedAt, now), paused)
}
