import type { DataOf, lendingOperations } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { Market } from '../core/index.rules.ts'
import { utilizationWad, wadAsBps } from '../market/index.rules.ts'
import type { FlowBucket, Snapshot, SnapshotBucket } from './history.store.ts'
import { offeredRateWad, supplyRateWad } from './rates.rules.ts'

type History = DataOf<typeof lendingOperations.getHistory>
type Point = History['points'][number]
export type HistoryRange = History['range']
export type HistoryResolution = History['resolution']

const HOUR = 3600
const DAY = 24 * HOUR
const SHARE_DECIMALS = 18
const MOST_BUCKETS = 1000

const spans: Record<Exclude<HistoryRange, 'all'>, number> = {
  '24h': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
  '90d': 90 * DAY,
  '1y': 365 * DAY,
}
export const bucketSeconds: Record<HistoryResolution, number> = { hour: HOUR, day: DAY }

export const usualResolution = (range: HistoryRange): HistoryResolution =>
  range === '24h' || range === '7d' ? 'hour' : 'day'

/** Which buckets a range covers; the newest ones when they are too many. */
export function bucketsOf(range: HistoryRange, size: number, chainTime: number, firstSnapshot: number) {
  const last = Math.floor(chainTime / size)
  const begin = range === 'all' ? firstSnapshot : Math.max(chainTime - spans[range], firstSnapshot)
  const wanted = Math.floor(begin / size)
  const first = Math.max(wanted, last - MOST_BUCKETS + 1)
  return { first, last, truncated: first > wanted }
}

interface Scale {
  readonly market: Market
  readonly offer: { readonly mode: number; readonly fixedBps: number }
  readonly protocolFeeBps: number
}

const amounts = ({ market }: Scale) => ({
  asset: (raw: bigint | string) => formatUnits(BigInt(raw), market.borrowDecimals),
  collateral: (raw: bigint | string) => formatUnits(BigInt(raw), market.collateralDecimals),
})

/** What one whole share was worth, by the contract's own formula. */
function exchangeRate({ poolValue, totalShares }: Snapshot, { borrowDecimals }: Market): string {
  const whole = 10n ** BigInt(SHARE_DECIMALS)
  const offset = 10n ** BigInt(SHARE_DECIMALS - borrowDecimals)
  return formatUnits((whole * (BigInt(poolValue) + 1n)) / (BigInt(totalShares) + offset), borrowDecimals)
}

function figuresAt(snapshot: Snapshot, scale: Scale) {
  const { market, offer, protocolFeeBps } = scale
  const { asset, collateral } = amounts(scale)
  const pool = {
    totalBorrowed: BigInt(snapshot.totalBorrowed),
    totalLiquidity: BigInt(snapshot.totalLiquidity),
  }
  const utilization = utilizationWad(pool)
  const rate = BigInt(snapshot.borrowRateWad)
  const value =
    (BigInt(snapshot.totalCollateral) * BigInt(snapshot.collateralPrice)) / 10n ** BigInt(market.collateralDecimals)
  return {
    totalLiquidity: asset(snapshot.totalLiquidity),
    totalBorrowed: asset(snapshot.totalBorrowed),
    availableLiquidity: asset(snapshot.availableLiquidity),
    poolValue: asset(snapshot.poolValue),
    pendingLiquidationDebt: asset(snapshot.carriedClaims),
    totalCollateral: collateral(snapshot.totalCollateral),
    collateralValue: asset(value),
    collateralPrice: asset(snapshot.collateralPrice),
    utilizationRate: wadAsBps(utilization),
    borrowRate: wadAsBps(rate),
    supplyRate: wadAsBps(supplyRateWad(offeredRateWad(offer, rate), utilization, protocolFeeBps)),
    exchangeRate: exchangeRate(snapshot, market),
  }
}

type Volumes = Omit<FlowBucket, 'bucket'>
const nothing: Volumes = { deposited: 0n, withdrawn: 0n, borrowed: 0n, repaid: 0n, liquidated: 0n }

export function volumesOf(flows: Volumes, scale: Scale) {
  const { asset } = amounts(scale)
  return {
    depositVolume: asset(flows.deposited),
    withdrawVolume: asset(flows.withdrawn),
    borrowVolume: asset(flows.borrowed),
    repayVolume: asset(flows.repaid),
    liquidationVolume: asset(flows.liquidated),
  }
}

export const sumFlows = (flows: readonly Volumes[]): Volumes =>
  flows.reduce(
    (sum, one) => ({
      deposited: sum.deposited + one.deposited,
      withdrawn: sum.withdrawn + one.withdrawn,
      borrowed: sum.borrowed + one.borrowed,
      repaid: sum.repaid + one.repaid,
      liquidated: sum.liquidated + one.liquidated,
    }),
    nothing,
  )

const most = (a: bigint, b: bigint) => (a > b ? a : b)
const least = (a: bigint, b: bigint) => (a < b ? a : b)

/** How far liquidity and borrowing went within a bucket that opens where the one before it closed. */
function movement(opening: Snapshot, bucket: SnapshotBucket | undefined, { asset }: ReturnType<typeof amounts>) {
  const [liquidity, borrowed] = [BigInt(opening.totalLiquidity), BigInt(opening.totalBorrowed)]
  return {
    openLiquidity: asset(liquidity),
    highLiquidity: asset(bucket ? most(liquidity, bucket.highLiquidity) : liquidity),
    lowLiquidity: asset(bucket ? least(liquidity, bucket.lowLiquidity) : liquidity),
    openBorrowed: asset(borrowed),
    highBorrowed: asset(bucket ? most(borrowed, bucket.highBorrowed) : borrowed),
    lowBorrowed: asset(bucket ? least(borrowed, bucket.lowBorrowed) : borrowed),
  }
}

export interface Series {
  readonly first: number
  readonly last: number
  readonly size: number
  readonly before: Snapshot | undefined
  readonly snapshots: readonly SnapshotBucket[]
  readonly flows: readonly FlowBucket[]
}

/** One point per bucket from the first snapshot on; a bucket without one shows what stood before it. */
export function historyPoints({ first, last, size, before, snapshots, flows }: Series, scale: Scale): Point[] {
  const snapshotOf = new Map(snapshots.map((one) => [Number(one.bucket), one]))
  const flowOf = new Map(flows.map((one) => [Number(one.bucket), one]))
  const points: Point[] = []
  let standing = before
  for (let number = first; number <= last; number++) {
    const bucket = snapshotOf.get(number)
    const opening = standing ?? bucket?.first
    if (!opening) continue
    const closing = bucket?.last ?? opening
    const timestamp = number * size * 1000
    points.push({
      timestamp,
      date: new Date(timestamp).toISOString(),
      ...figuresAt(closing, scale),
      ...movement(opening, bucket, amounts(scale)),
      ...volumesOf(flowOf.get(number) ?? nothing, scale),
      ...(bucket ? {} : { carriedForward: true as const }),
    })
    standing = closing
  }
  return points
}
