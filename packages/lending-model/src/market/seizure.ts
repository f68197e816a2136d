import { bps, divideDown, lesser, wad } from '../rules/arithmetic.ts'
import { floorPriceDown } from '../rules/auction-price.ts'
import { providersPartDown } from '../rules/fees.ts'
import { healthFactorDown, type Price, valueDown } from '../rules/health.ts'
import { accrue, refreshRate } from './books.ts'
import { closeLoanBooks, debtOf, realizationTermsOf, reduceDebt, unlockedLoanOf } from './loan-books.ts'
import { freshPrice } from './oracle.ts'
import { attempt, demand, move } from './refusal.ts'
import { liveBid, receiveCollateral, sellToBidder } from './router.ts'
import { arrearsOf, drawFund, settleRealization } from './settlement.ts'
import { type Size, sizeSeizure } from './sizing.ts'
import type { Loan, Realization, Turn } from './state.ts'
import { startAuction } from './venue.ts'

/** In atomic mode the whole realization is tried with the sale; where that fails, the collateral waits for one. */
export function liquidate(turn: Turn, loanId: bigint): void {
  const { state, caller } = turn
  demand(caller === 'liquidator', 'NotAuthorized')
  if (state.isAtomic && !state.config.useDutchAuction) {
    const sold = attempt(state, (draft) => realize({ ...turn, state: draft }, loanId, liveBid(draft, turn.now)))
    if (sold.refusal === undefined) {
      Object.assign(state, sold.state)
      return
    }
  }
  realize(turn, loanId, undefined)
}

/** Realizes a loan that is past its term or unhealthy: what is claimed, what is taken, where it goes. */
function realize(turn: Turn, loanId: bigint, bidFactorBps: bigint | undefined): void {
  const { state, now } = turn
  const loan = unlockedLoanOf(state, loanId)
  const price = freshPrice(state, now)
  accrue(turn)
  const debt = debtOf(turn, loan)
  demand(debt > 0n, 'NoOutstandingDebt')
  const isTerm = loan.dueAt > 0n && now > loan.dueAt + loan.gracePeriod
  const terms = realizationTermsOf(state, loan)
  const health = healthFactorDown(loan.collateral, price, terms.liquidationThresholdBps, debt)
  demand(isTerm || (health !== undefined && health < wad), 'LoanStillHealthy')

  const floor: Price = { ...price, price: floorPriceDown(price.price, state.config.auctionMinBps) }
  const sizePrice = sizingPrice(turn, isTerm, { price, floor, bidFactorBps })
  // The minimum of the opening, or a lower one of now.
  const smallDebt = lesser(state.config.minBorrowAmount, loan.minBorrowUnits * 10n ** state.assetDecimals)
  const size = sizeSeizure({ ...loan, ...terms, debt, smallDebt, isTerm, price, sizePrice }, state.config)
  const record = recordSeizure(turn, loanId, loan, { ...size, debt, isTerm, floor })
  const isWhole = isTerm || size.taken === loan.collateral
  const residual = takeOver(turn, loan, record, isWhole)
  record.beyond = residual
  arrearsOf(state, loanId).lost += residual
  const id = BigInt(state.realizations.size + 1)
  state.realizations.set(id, record)
  loan.collateral -= size.taken
  if (isWhole) closeLoanBooks(state, loan)
  else if (record.isAuction) loan.status = 'IN_AUCTION'
  const isSoldAtOnce = bidFactorBps !== undefined
  deliver(turn, id, record, { taken: size.taken, borrower: loan.borrower, oraclePrice: price.price, isSoldAtOnce })
  if (residual > 0n) writeOffResidual(turn, record, residual)
  refreshRate(turn)
}

function sizingPrice(
  { state }: Turn,
  isTerm: boolean,
  { price, floor, bidFactorBps }: { price: Price; floor: Price; bidFactorBps: bigint | undefined },
): Price {
  if (state.config.useDutchAuction) return isTerm ? floor : price
  if (bidFactorBps === undefined) return price
  return { ...price, price: divideDown(price.price * bidFactorBps, bps) }
}

/** What a sale at the floor brings the pool: principal first, fees on the interest taken off. */
function carriedDown(principal: bigint, interest: bigint, floorValue: bigint, insurancePart: bigint): bigint {
  if (floorValue <= principal) return floorValue
  return principal + providersPartDown(lesser(interest, floorValue - principal), insurancePart)
}

function recordSeizure(
  { state, now }: Turn,
  loanId: bigint,
  loan: Loan,
  seizure: Size & { debt: bigint; isTerm: boolean; floor: Price },
): Realization {
  const interest = lesser(seizure.debt - loan.principal, seizure.claim)
  const principalOwed = seizure.claim - interest
  const floorValue = valueDown(seizure.taken, seizure.floor)
  const { insurancePart } = state.pool
  return {
    loanId,
    seizedAt: now,
    penaltyBps: seizure.penaltyBps,
    status: seizure.taken === 0n ? 'SETTLED' : 'OPEN',
    isTerm: seizure.isTerm,
    isAuction: state.config.useDutchAuction,
    isCountersigned: false,
    claim: seizure.claim,
    principalOwed,
    totalDebt: seizure.debt,
    floorValue,
    carried: carriedDown(principalOwed, interest, floorValue, insurancePart),
    insurancePart,
    held: 0n,
    recovered: 0n,
    covered: 0n,
    advanced: 0n,
    keptPenalty: 0n,
    beyond: 0n,
    principalRecovered: 0n,
  }
}

/** The claim leaves the loan, all interest first. What nothing is left to pay for is the residual. */
function takeOver(turn: Turn, loan: Loan, record: Realization, isWhole: boolean): bigint {
  const residual = isWhole ? record.totalDebt - record.claim : 0n
  if (residual > 0n) reduceDebt(turn, loan, loan.principal, record.totalDebt - loan.principal)
  else reduceDebt(turn, loan, record.principalOwed, record.claim - record.principalOwed)
  return residual
}

/** The debt is nobody's any more: what the fund pays for it is the pool's as a whole. */
function writeOffResidual(turn: Turn, record: Realization, residual: bigint): void {
  const arrears = arrearsOf(turn.state, record.loanId)
  // A sale in the same call may have brought a part.
  const covered = drawFund(turn.state, lesser(residual, arrears.lost))
  record.advanced += covered
  arrears.advanced += covered
  arrears.lost -= covered
  turn.state.pool.cash += covered
}

function deliver(
  turn: Turn,
  id: bigint,
  record: Realization,
  { isSoldAtOnce, ...lot }: { taken: bigint; borrower: string; oraclePrice: bigint; isSoldAtOnce: boolean },
): void {
  const { state } = turn
  if (lot.taken === 0n) return
  move(state.collaterals, 'adapter', record.isAuction ? 'venue' : 'router', lot.taken)
  if (record.isAuction) {
    startAuction(turn, { realizationId: id, loanId: record.loanId, ...lot })
    return
  }
  const routedId = receiveCollateral(turn, id, lot.taken)
  if (isSoldAtOnce) {
    const payment = sellToBidder(turn, routedId, lot.borrower, lot.oraclePrice)
    settleRealization(turn, id, payment)
  }
}
