import { healthFactorDown, valueDown } from '../loans/index.rules.ts'

const BPS = 10_000n
const WAD = 10n ** 18n

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const divUp = (numerator: bigint, denominator: bigint): bigint =>
  numerator === 0n ? 0n : (numerator - 1n) / denominator + 1n

export type Trigger = 'HEALTH' | 'TERM' | 'HEALTH_AND_TERM'

interface Judged {
  readonly debt: bigint
  /** As booked: what another agent took makes no healthy loan due. */
  readonly collateral: bigint
  readonly price: bigint
  readonly collateralDecimals: number
  readonly liquidationThresholdBps: number
  readonly isPastTerm: boolean
}

/** Why a loan may be realized. Null: it may not. */
export function triggerOf(loan: Judged): Trigger | null {
  const { collateral, price, collateralDecimals, liquidationThresholdBps, debt } = loan
  const health = healthFactorDown(collateral, price, collateralDecimals, BigInt(liquidationThresholdBps), debt)
  if (health === null) return null
  if (health >= WAD) return loan.isPastTerm ? 'TERM' : null
  return loan.isPastTerm ? 'HEALTH_AND_TERM' : 'HEALTH'
}

/** The largest debt that is claimed whole: the minimum of now, or that of the loan's opening in whole units, if that is less. */
export function smallDebtOf(minBorrowNow: bigint, minBorrowAtOpening: bigint, borrowDecimals: number): bigint {
  const unit = 10n ** BigInt(borrowDecimals)
  const units = least(divUp(minBorrowAtOpening, unit), 2n ** 24n - 1n)
  return least(units * unit, minBorrowNow)
}

/** What the adapter still finds of a pledge; more may be locked on the holder's account than there is. */
export function foundOf(pledged: bigint, locked: bigint, balance: bigint): bigint {
  if (balance >= locked) return pledged
  return pledged - least(locked - balance, pledged)
}

export interface SeizureInput {
  readonly trigger: Trigger
  readonly debt: bigint
  /** What the adapter finds. */
  readonly collateral: bigint
  readonly price: bigint
  readonly collateralDecimals: number
  readonly liquidationPenaltyBps: number
  readonly termPenaltyBps: number
  readonly closeFactorBps: number
  readonly auctionMinBps: number
  readonly smallDebt: bigint
  readonly useDutchAuction: boolean
  /** The part of the oracle price that the standing bid pays; null: the router does not sell at once. */
  readonly atomicFactorBps: bigint | null
}

export interface SeizureForecast {
  readonly path: 'ROUTER' | 'VENUE' | 'ATOMIC'
  readonly claim: bigint
  readonly taken: bigint
  readonly penaltyBps: bigint
  readonly closes: boolean
  /** Debt that nothing is left to pay for. */
  readonly residual: bigint
  /** Collateral that goes back to the borrower. */
  readonly returned: bigint
  readonly floorValue: bigint
  /** What the buyer pays at once; null: nobody does. */
  readonly payment: bigint | null
}

/** What a seizure claims and takes: the market's own sums, to the unit. */
export function seizureOf(input: SeizureInput): SeizureForecast {
  const { debt, collateral, price, closeFactorBps, useDutchAuction: isAuction } = input
  const scale = 10n ** BigInt(input.collateralDecimals)
  const isTerm = input.trigger !== 'HEALTH'
  const floorPrice = (price * BigInt(input.auctionMinBps)) / BPS
  const isAtomic = !isAuction && input.atomicFactorBps !== null
  const bidPrice = isAtomic ? (price * (input.atomicFactorBps ?? BPS)) / BPS : price
  const penaltyBps = collateral === 0n ? 0n : BigInt(isTerm ? input.termPenaltyBps : input.liquidationPenaltyBps)
  // A floor or a bid that rounds to nothing counts as one unit: then all collateral is taken.
  const neededUp = (claim: bigint, at: bigint) => divUp(claim * (BPS + penaltyBps) * scale, BPS * (at === 0n ? 1n : at))
  const partUp = (whole: bigint) => divUp(whole * BigInt(closeFactorBps), BPS)

  function size(): { claim: bigint; taken: bigint; closes: boolean } {
    if (collateral === 0n) return { claim: 0n, taken: 0n, closes: true }
    if (isTerm) {
      const taken = least(collateral, neededUp(debt, isAuction ? floorPrice : bidPrice))
      return { claim: debt, taken, closes: true }
    }
    const isSmall = debt <= input.smallDebt
    const claim = isSmall ? debt : partUp(debt)
    if (isAuction) {
      const taken = partUp(collateral)
      const isTooLittle = valueDown(taken, price, input.collateralDecimals) < claim
      if (isSmall || isTooLittle) return { claim: debt, taken: collateral, closes: true }
      return { claim, taken, closes: taken === collateral }
    }
    const taken = neededUp(claim, bidPrice)
    if (taken < collateral) return { claim, taken, closes: false }
    const covered = (collateral * bidPrice * BPS) / (scale * (BPS + penaltyBps))
    return { claim: least(claim, covered), taken: collateral, closes: true }
  }

  const { claim, taken, closes } = size()
  return {
    path: isAuction ? 'VENUE' : isAtomic ? 'ATOMIC' : 'ROUTER',
    claim,
    taken,
    penaltyBps,
    closes,
    residual: closes ? debt - claim : 0n,
    returned: closes ? collateral - taken : 0n,
    floorValue: valueDown(taken, floorPrice, input.collateralDecimals),
    payment: isAtomic ? divUp(taken * bidPrice, scale) : null,
  }
}
