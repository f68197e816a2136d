import { divideDown } from './arithmetic.ts'

const shareDecimals = 18n
/** Shares worth less than this part of what the first ones cost are worth nothing. */
const wipedOutDivisor = 1_000_000n

/** Shares for one smallest unit of the asset in an empty pool: behind every pool stands one virtual unit. */
export function virtualShares(assetDecimals: bigint): bigint {
  return 10n ** (shareDecimals - assetDecimals)
}

export interface ShareBase {
  totalAssets: bigint
  totalShares: bigint
  virtualShares: bigint
}

export function sharesForDown(assets: bigint, base: ShareBase): bigint {
  return divideDown(assets * (base.totalShares + base.virtualShares), base.totalAssets + 1n)
}

export function assetsForDown(shares: bigint, base: ShareBase): bigint {
  return divideDown(shares * (base.totalAssets + 1n), base.totalShares + base.virtualShares)
}

export function isWipedOut(base: ShareBase): boolean {
  return base.totalShares > 0n && base.totalAssets * base.virtualShares * wipedOutDivisor < base.totalShares
}
