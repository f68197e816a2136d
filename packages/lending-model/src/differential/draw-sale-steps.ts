import { auctionFigures } from '../market/figures.ts'
import { storedPrice } from '../market/oracle.ts'
import type { RouterRecord } from '../market/state.ts'
import { auctionElapsed } from '../market/venue.ts'
import { costUp } from '../rules/auction-price.ts'
import { around, pickEntry } from './amounts.ts'
import type { Draw, Drawn } from './draw-loan-steps.ts'
import { bidders } from './parties.ts'

/** What a sale may bring: from almost nothing to far more than everything owed. */
function proceedsFor({ random, state }: Draw, realizationId: bigint): bigint {
  const record = state.realizations.get(realizationId)
  if (!record) return 1n
  const { claim, totalDebt, penaltyBps, floorValue } = record
  const withPenalty = (amount: bigint) => (amount * (10_000n + penaltyBps)) / 10_000n
  return around(random, random.pick([claim, withPenalty(claim), withPenalty(totalDebt), floorValue, claim / 3n]))
}

export function drawRouterStep(draw: Draw): Drawn | undefined {
  const { random, state } = draw
  const [id, record] = pickEntry(random, state.routed, (known) => !known.isSettled) ?? []
  if (!id || !record) return undefined
  const kind = random.integer(0, 9)
  const hasAuctionCash = (state.realizations.get(record.realizationId)?.held ?? 0n) > 0n
  if (hasAuctionCash && random.chance(0.3)) {
    return { name: 'settleLiquidation', caller: 'seller', args: { id, finalProceeds: 0n } }
  }
  if (record.collateralRemaining > 0n && kind < 7) {
    const amount = random.chance(0.6) ? record.collateralRemaining : around(random, record.collateralRemaining)
    return { name: 'withdrawCollateralForSale', caller: 'seller', args: { id, amount } }
  }
  const proceeds = proceedsFor(draw, record.realizationId)
  if (kind < 5) return { name: 'reportPartialSale', caller: 'seller', args: { id, proceeds } }
  if (kind < 6) return { name: 'sellPending', caller: 'seller', args: { id } }
  if (record.collateralRemaining > 0n && random.chance(0.9)) return undefined
  return { name: 'settleLiquidation', caller: 'seller', args: { id, finalProceeds: proceeds } }
}

/** A whole record to the sale recipient, while there is a bid. */
export function drawSaleToBidder({ random, state, now }: Draw): Drawn | undefined {
  if (state.bid.factorBps === 0n || now > state.bid.validUntil) return undefined
  const isUntouched = (record: RouterRecord) =>
    !record.isSettled && record.proceedsCollected === 0n && record.collateralRemaining === record.collateralAmount
  const [id] = pickEntry(random, state.routed, isUntouched) ?? []
  return id ? { name: 'sellPending', caller: 'seller', args: { id } } : undefined
}

export function drawRecordStep(draw: Draw): Drawn | undefined {
  const { random, state } = draw
  const isLeft = (record: RouterRecord) => record.isSettled && record.collateralRemaining > 0n
  const [leftId] = pickEntry(random, state.routed, isLeft) ?? []
  if (leftId && random.chance(0.5)) return { name: 'reopenLiquidation', caller: 'admin', args: { id: leftId } }
  const [id] = pickEntry(random, state.realizations, (known) => known.status === 'OPEN') ?? []
  const isOver = (realizationId: bigint) => state.realizations.get(realizationId)?.status !== 'OPEN'
  const [routedId] = pickEntry(random, state.routed, (known) => !known.isSettled && isOver(known.realizationId)) ?? []
  if (!id) return undefined
  const kind = random.integer(0, 9)
  if (kind < 4) return { name: 'handleLiquidationTimeout', caller: 'admin', args: { id } }
  if (kind < 6 || !routedId) return { name: 'countersignSale', caller: 'admin', args: { id } }
  return { name: 'writeOffLiquidation', caller: 'admin', args: { id: routedId } }
}

export function drawAuctionStep(draw: Draw): Drawn | undefined {
  const { random, state, now } = draw
  const [id, auction] = pickEntry(random, state.auctions, (known) => known.isActive) ?? []
  if (!id || !auction) return undefined
  const isOver = auctionElapsed(state, auction, now) >= auction.durationSeconds
  if (random.chance(isOver ? 0.9 : 0.05)) {
    return { name: 'settleExpiredAuction', caller: random.pick(['stranger', 'liquidator']), args: { id } }
  }
  const quantity = around(random, auction.remaining)
  const { currentPrice } = auctionFigures(state, auction, now)
  const cost = costUp(quantity, { ...storedPrice(state), price: currentPrice })
  const maxCost = random.chance(0.8) ? cost : around(random, cost)
  return { name: 'bidOnAuction', caller: random.pick(bidders), args: { id, quantity, maxCost } }
}
