import { bps, divideDown, divideUp, greater, lessAtLeastZero, lesser, wad } from './arithmetic.ts'

export const yearSeconds = 365n * 86_400n
export const wadPerBps = wad / bps
/** The pool's own interest has nine more decimals than the asset. */
export const poolScale = 10n ** 9n
export const maxRateBps = 50_000n

export interface RateCurve {
  baseBps: bigint
  multiplierBps: bigint
  jumpBps: bigint
  kinkBps: bigint
}

export type RateOffer =
  | { mode: 'CURVE' }
  | { mode: 'CLAMPED'; floorBps: bigint; capBps: bigint }
  | { mode: 'FIXED'; fixedBps: bigint }

export function elapsedSeconds(since: bigint, now: bigint): bigint {
  return lessAtLeastZero(now, since)
}

/** Simple interest of one loan; the index is the sum of rate x seconds, the rate in wad. */
export function loanInterestUp(principal: bigint, indexGrowth: bigint): bigint {
  return divideUp(principal * indexGrowth, wad * yearSeconds)
}

/** Simple interest of the whole book, in units of 1 / `poolScale`. */
export function bookInterestScaledDown(
  book: { variablePrincipal: bigint; variableRateWad: bigint; stampedPrincipalBps: bigint },
  seconds: bigint,
): bigint {
  const perYear = book.variablePrincipal * book.variableRateWad + book.stampedPrincipalBps * wadPerBps
  return divideDown(perYear * seconds * poolScale, wad * yearSeconds)
}

export function utilizationDown(borrowed: bigint, liquidity: bigint): bigint {
  return liquidity === 0n ? 0n : lesser(wad, divideDown(borrowed * wad, liquidity))
}

/** base + U x multiplier up to the kink, base + kink x multiplier + (U - kink) x jump above it. */
export function curveRateDown(curve: RateCurve, utilizationWad: bigint): bigint {
  const kinkWad = curve.kinkBps * wadPerBps
  const gentle = divideDown(lesser(utilizationWad, kinkWad) * curve.multiplierBps, bps)
  const steep = divideDown(lessAtLeastZero(utilizationWad, kinkWad) * curve.jumpBps, bps)
  return curve.baseBps * wadPerBps + gentle + steep
}

/** The rate of variable loans. They pay the raw curve while new loans are stamped. No rate is above 500 %. */
export function variableRateDown(curve: RateCurve, offer: RateOffer, borrowed: bigint, liquidity: bigint): bigint {
  const raw = lesser(curveRateDown(curve, utilizationDown(borrowed, liquidity)), maxRateBps * wadPerBps)
  if (offer.mode !== 'CLAMPED') return raw
  return lesser(greater(raw, offer.floorBps * wadPerBps), offer.capBps * wadPerBps)
}
