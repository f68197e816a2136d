import { createHash } from 'node:crypto'
import type { OrderBookRecord } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import type { BookRow } from './books.store.ts'
import { withoutValues } from './feed.rules.ts'

/** Order book units have six decimals, whatever the token has. */
export const DECIMALS = 6
export const MAX_UNITS = 2n ** 63n - 1n
const BPS = 10_000n

export type BookClass = 'stocks' | 'commodities' | 'external-securities'

/** Which class a path asks for. */
export function classOf(mountedAt: string): BookClass {
  if (mountedAt.startsWith('/orderbooks/commodities/')) return 'commodities'
  return mountedAt.startsWith('/orderbooks/external-securities/') ? 'external-securities' : 'stocks'
}

/** A token with fewer than six decimals trades in steps of its own smallest unit. */
export const lotOf = (decimals: number | null): number =>
  decimals === null || decimals >= DECIMALS ? 1 : 10 ** (DECIMALS - decimals)

/** A price or amount for people: decimal, in whole units. */
export const asDecimal = (units: number | bigint): string => formatUnits(BigInt(units), DECIMALS)

/** The band around a reference price, both ends inside; null: no reference or no band. */
export function bandOf(price: bigint | null, spreadBps: number | null): { lower: bigint; upper: bigint } | null {
  if (price === null || spreadBps === null) return null
  const spread = BigInt(spreadBps)
  return { lower: (price * (BPS - spread) + BPS - 1n) / BPS, upper: (price * (BPS + spread)) / BPS }
}

const SECONDS: Readonly<Record<string, number>> = {
  '1MIN': 60,
  '5MIN': 300,
  '10MIN': 600,
  '30MIN': 1_800,
  '1HOUR': 3_600,
  '6HOUR': 21_600,
  '12HOUR': 43_200,
  '1DAY': 86_400,
}
const EVERY_TRADE_TOLERANCE = 300
/** As often as a feed is asked at all. */
const EVERY_TRADE_CADENCE = 10

/** Seconds after which a feed is asked again. */
export const cadenceOf = (enforcement: string): number => SECONDS[enforcement] ?? EVERY_TRADE_CADENCE

/** Seconds after which a reference price is too old. */
export function toleranceOf(book: { priceRefStaleTolerance: number | null; priceRefEnforcement: string }): number {
  const interval = SECONDS[book.priceRefEnforcement]
  return book.priceRefStaleTolerance ?? (interval === undefined ? EVERY_TRADE_TOLERANCE : 3 * interval)
}

/** The unit of a book that pools with nobody is its own; books of one pool class share one, whoever owns them. */
export function unitOfClass(key: readonly string[]): string {
  const hex = createHash('sha256').update(key.join('\n')).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function asOrderBook(row: BookRow): OrderBookRecord {
  return {
    id: row.bookId,
    instanceId: row.instanceId,
    tokenAddress: row.tokenAddress,
    quoteTokenAddress: row.quoteTokenAddress,
    name: row.name,
    symbol: row.symbol,
    status: row.status,
    tokenType: row.tokenType,
    settlementMode: row.settlementMode,
    custodyContract: row.custodyContract,
    settlementOperator: row.settlementOperator,
    underlyingIdentifier: row.underlyingIdentifier,
    stockTokenId: row.stockTokenId,
    cfid: row.cfid,
    baseDecimals: row.baseDecimals,
    quoteDecimals: row.quoteDecimals,
    minOrderSize: row.minOrderSize.toString(),
    maxOrderSize: row.maxOrderSize?.toString() ?? null,
    tickSize: row.tickSize.toString(),
    makerFeeBps: row.makerFeeBps,
    takerFeeBps: row.takerFeeBps,
    mmMakerRebateBps: row.mmMakerRebateBps,
    allowImport: row.allowImport,
    allowSharedLiquidity: row.allowSharedLiquidity,
    tradingMode: row.tradingMode,
    auctionIntervalSeconds: row.auctionIntervalSeconds,
    hybridSwitchSpreadBps: row.hybridSwitchSpreadBps,
    currentAuctionId: row.currentAuctionId,
    auctionRollUnmatched: row.auctionRollUnmatched,
    priceRefEnabled: row.priceRefEnabled,
    priceRefMode: row.priceRefMode,
    // A feed may be paid for: its address is the owner's business, what its headers hold nobody's.
    priceRefFeedUrl: row.importId ? null : row.priceRefFeedUrl,
    priceRefFeedHeaders: row.importId ? null : withoutValues(row.priceRefFeedHeaders),
    priceRefFeedPath: row.importId ? null : row.priceRefFeedPath,
    priceRefEnforcement: row.priceRefEnforcement,
    priceRefSpreadBps: row.priceRefSpreadBps,
    priceRefLastPrice: row.priceRefLastPrice === null ? null : asDecimal(row.priceRefLastPrice),
    priceRefLastUpdated: row.priceRefLastUpdated?.toISOString() ?? null,
    priceRefHaltOnStale: row.priceRefHaltOnStale,
    priceRefStaleTolerance: row.priceRefStaleTolerance,
    priceRefCircuitBreakerBps: row.priceRefCircuitBreakerBps,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...(row.importId ? { _imported: true as const, _importId: row.importId } : {}),
  }
}
