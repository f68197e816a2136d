import { bps, divideDown, divideUp, wad } from './arithmetic.ts'

/** Smallest units of the borrow asset per whole collateral token, and 10 ** its decimals. */
export interface Price {
  price: bigint
  scale: bigint
}

export function valueDown(collateral: bigint, { price, scale }: Price): bigint {
  return divideDown(collateral * price, scale)
}

export function capacityDown(collateral: bigint, price: Price, factorBps: bigint): bigint {
  return divideDown(valueDown(collateral, price) * factorBps, bps)
}

/** 1e18 is the border: below it a loan can be realized. Without debt there is no health factor. */
export function healthFactorDown(
  collateral: bigint,
  price: Price,
  thresholdBps: bigint,
  debt: bigint,
): bigint | undefined {
  if (debt === 0n) return undefined
  return divideDown(capacityDown(collateral, price, thresholdBps) * wad, debt)
}

/** The part of a debt, or of collateral, that one realization may take. */
export function closablePartUp(whole: bigint, closeFactorBps: bigint): bigint {
  return divideUp(whole * closeFactorBps, bps)
}

/** claim x (1 + penalty) / price, where a price that rounds to nothing counts as one unit */
export function collateralForClaimUp(claim: bigint, penaltyBps: bigint, { price, scale }: Price): bigint {
  return divideUp(claim * (bps + penaltyBps) * scale, bps * (price === 0n ? 1n : price))
}

export function claimForCollateralDown(collateral: bigint, penaltyBps: bigint, { price, scale }: Price): bigint {
  return divideDown(collateral * price * bps, scale * (bps + penaltyBps))
}
