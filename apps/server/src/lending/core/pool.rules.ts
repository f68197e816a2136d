import { formatUnits } from '../../platform/amounts.rules.ts'

/** What decides about the shares of a pool. Everything here mirrors the market to the unit. */
export interface PoolBooks {
  readonly cash: bigint
  readonly totalAssets: bigint
  readonly totalShares: bigint
}

const SHARE_DECIMALS = 18
const WAD = 10n ** 18n
const WAD_PER_BPS = 10n ** 14n
const YEAR = 365n * 86_400n
/** Shares worth less than this part of what they were issued at are wiped out. */
const WIPED_OUT_FRACTION = 1_000_000n

/** Shares that stand for one unit of the asset in an empty pool. */
const offsetOf = (assetDecimals: number) => 10n ** BigInt(SHARE_DECIMALS - assetDecimals)

/** What shares are worth. */
export function poolValueDown(
  shares: bigint,
  { totalAssets, totalShares }: Omit<PoolBooks, 'cash'>,
  assetDecimals: number,
): bigint {
  return (shares * (totalAssets + 1n)) / (totalShares + offsetOf(assetDecimals))
}

/** Whether losses consumed the pool, so that the next deposit starts a new epoch of shares. */
function isPoolWipedOut({ totalAssets, totalShares }: PoolBooks, assetDecimals: number): boolean {
  return totalShares !== 0n && totalAssets * offsetOf(assetDecimals) * WIPED_OUT_FRACTION < totalShares
}

/** The pool as the next deposit finds it: what a wiped-out one has left is not the newcomer's to pay for. */
export function poolForDeposit(pool: PoolBooks, assetDecimals: number) {
  const startsNewEpoch = isPoolWipedOut(pool, assetDecimals)
  const totalShares = startsNewEpoch ? 0n : pool.totalShares
  return { totalShares, totalAssets: totalShares === 0n ? 0n : pool.totalAssets, startsNewEpoch }
}

export function sharesForDown(
  amount: bigint,
  { totalAssets, totalShares }: Omit<PoolBooks, 'cash'>,
  assetDecimals: number,
): bigint {
  return (amount * (totalShares + offsetOf(assetDecimals))) / (totalAssets + 1n)
}

/** The largest number of shares whose value the pool's cash covers. */
export function payableSharesDown({ cash, totalAssets, totalShares }: PoolBooks, assetDecimals: number): bigint {
  return ((cash + 1n) * (totalShares + offsetOf(assetDecimals)) - 1n) / (totalAssets + 1n)
}

/** What the loans of a pool earn at most in some seconds, when none carries more than these rates. */
export function accrualUp(borrowed: bigint, rateWad: bigint, highestStampBps: bigint, seconds: bigint): bigint {
  const stampWad = highestStampBps * WAD_PER_BPS
  const product = borrowed * (rateWad > stampWad ? rateWad : stampWad) * seconds
  return (product + WAD * YEAR - 1n) / (WAD * YEAR)
}

/** One whole share in whole units of the asset, with 18 decimals. */
export function poolSharePrice({ totalAssets, totalShares }: Omit<PoolBooks, 'cash'>, assetDecimals: number): string {
  const scale = 10n ** BigInt(assetDecimals)
  return formatUnits((WAD * WAD * (totalAssets + 1n)) / ((totalShares + offsetOf(assetDecimals)) * scale), 18)
}

/** A part of a whole in basis points; of nothing it is nothing. */
export const partBps = (part: bigint, whole: bigint): number => (whole === 0n ? 0 : Number((part * 10_000n) / whole))

export const shownShares = (raw: bigint): string => formatUnits(raw, SHARE_DECIMALS)
