import { bps, divideDown, greater } from '../rules/arithmetic.ts'
import { costUp } from '../rules/auction-price.ts'
import { freshPrice, storedPrice } from './oracle.ts'
import { demand, move } from './refusal.ts'
import { realizationOf, settleRealization } from './settlement.ts'
import type { LendingState, Party, RouterRecord, Turn } from './state.ts'

const lowestBidBps = 9_500n
const highestBidBps = 20_000n

export function receiveCollateral({ state, now }: Turn, realizationId: bigint, amount: bigint): bigint {
  const id = BigInt(state.routed.size + 1)
  state.routed.set(id, {
    realizationId,
    collateralAmount: amount,
    collateralRemaining: amount,
    proceedsCollected: 0n,
    receivedAt: now,
    isSettled: false,
  })
  return id
}

function openRecordOf(state: LendingState, id: bigint): RouterRecord {
  const record = state.routed.get(id)
  demand(record !== undefined, 'LiquidationNotFound')
  demand(!record.isSettled, 'AlreadySettled')
  return record
}

export function withdrawCollateralForSale({ state, caller }: Turn, id: bigint, amount: bigint): void {
  demand(caller === 'seller', 'NotAuthorized')
  const record = openRecordOf(state, id)
  demand(amount > 0n && amount <= record.collateralRemaining, 'AmountOutOfRange')
  record.collateralRemaining -= amount
  move(state.collaterals, 'router', 'saleRecipient', amount)
}

export function reportPartialSale({ state, caller }: Turn, id: bigint, proceeds: bigint): void {
  demand(caller === 'seller', 'NotAuthorized')
  const record = openRecordOf(state, id)
  demand(proceeds > 0n, 'AmountOutOfRange')
  record.proceedsCollected += proceeds
  move(state.assets, caller, 'router', proceeds)
}

/** Everything is sold, or the only cash is that of the auction before: then the rest waits for being reopened. */
export function settleLiquidation(turn: Turn, id: bigint, finalProceeds: bigint): void {
  const { state, caller } = turn
  demand(caller === 'seller', 'NotAuthorized')
  const record = openRecordOf(state, id)
  const proceeds = record.proceedsCollected + finalProceeds
  const isAuctionCash = proceeds === 0n && realizationOf(state, record.realizationId).held > 0n
  demand(record.collateralRemaining === 0n || isAuctionCash, 'CollateralUnsold')
  demand(proceeds > 0n || isAuctionCash, 'SaleNotReported')
  move(state.assets, caller, 'router', finalProceeds)
  record.proceedsCollected = proceeds
  record.isSettled = true
  move(state.assets, 'router', 'market', proceeds)
  settleRealization(turn, record.realizationId, proceeds)
}

/** Closes a record that the market has closed already. */
export function writeOffLiquidation({ state, caller }: Turn, id: bigint): void {
  demand(caller === 'admin', 'NotAuthorized')
  const record = openRecordOf(state, id)
  demand(record.proceedsCollected === 0n, 'ProceedsCollected')
  demand(record.collateralRemaining === 0n, 'CollateralUnsold')
  demand(realizationOf(state, record.realizationId).status !== 'OPEN', 'MarketSettlementPending')
  record.isSettled = true
}

/** What it brings from then on is late cash of the market's record. */
export function reopenLiquidation({ state, caller }: Turn, id: bigint): void {
  demand(caller === 'admin', 'NotAuthorized')
  const record = state.routed.get(id)
  demand(record !== undefined, 'LiquidationNotFound')
  demand(record.isSettled, 'NotSettled')
  demand(record.proceedsCollected === 0n, 'ProceedsCollected')
  demand(record.collateralRemaining > 0n, 'NothingToRecover')
  record.isSettled = false
}

export function setAtomicMode({ state, caller }: Turn, isAtomic: boolean): void {
  demand(caller === 'admin', 'NotAuthorized')
  state.isAtomic = isAtomic
}

/** 0 withdraws the bid. */
export function setSaleBid({ state, now, caller }: Turn, factorBps: bigint, validUntil: bigint): void {
  demand(caller === 'saleRecipient', 'NotSaleRecipient')
  if (factorBps > 0n) {
    demand(factorBps >= lowestBidBps && factorBps <= highestBidBps && validUntil > now, 'InvalidSaleBid')
    demand(factorBps >= bidFloor(state), 'SaleBidBelowFloor')
  }
  state.bid = { factorBps, validUntil }
}

function bidFloor(state: LendingState): bigint {
  return greater(lowestBidBps, state.config.auctionMinBps)
}

export function liveBid(state: LendingState, now: bigint): bigint {
  const { bid } = state
  demand(bid.factorBps > 0n && now <= bid.validUntil, 'NoLiveBid')
  demand(bid.factorBps >= bidFloor(state), 'SaleBidBelowFloor')
  return bid.factorBps
}

/** Sells a whole record at the bid; the payment goes to the market at once. */
export function sellToBidder({ state, now }: Turn, id: bigint, borrower: Party, oraclePrice: bigint): bigint {
  const record = openRecordOf(state, id)
  const factorBps = liveBid(state, now)
  demand(borrower !== 'saleRecipient', 'SelfPurchase')
  const isUntouched = record.collateralRemaining === record.collateralAmount && record.proceedsCollected === 0n
  demand(isUntouched, 'CollateralAlreadyOut')
  const price = { ...storedPrice(state), price: divideDown(oraclePrice * factorBps, bps) }
  const payment = costUp(record.collateralAmount, price)
  record.collateralRemaining = 0n
  record.proceedsCollected = payment
  record.isSettled = true
  move(state.assets, 'saleRecipient', 'market', payment)
  move(state.collaterals, 'router', 'saleRecipient', record.collateralAmount)
  return payment
}

export function sellPending(turn: Turn, id: bigint): void {
  const { state, now, caller } = turn
  demand(caller === 'seller', 'NotAuthorized')
  const { realizationId } = openRecordOf(state, id)
  const loan = state.loans.get(realizationOf(state, realizationId).loanId)
  const { price } = freshPrice(state, now)
  const payment = sellToBidder(turn, id, loan?.borrower ?? '', price)
  settleRealization(turn, realizationId, payment)
}
