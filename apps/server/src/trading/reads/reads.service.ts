import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { countOf } from '../../platform/page.ts'
import { asDecimal, type BookClass, type BookRow, bandOf } from '../books/index.rules.ts'
import { bookStore as books } from '../books/index.ts'
import type { TradingParts } from '../parts.ts'
import { type CandlesRequest, candlesPage, shownCandles } from './candles-page.ts'
import { dailyStats, daysOf, type Range } from './daily.rules.ts'
import * as store from './tape.store.ts'
import { readTrades, type TradesRequest } from './trades-page.ts'

const DAY_MS = 86_400_000
const ROW_CEILING = 50_000

const isPooling = ({ allowSharedLiquidity, status, currentAuctionId }: BookRow): boolean =>
  allowSharedLiquidity && status === 'ACTIVE' && currentAuctionId === null

const eligibleOf = (row: BookRow): store.Eligible => ({
  bookId: row.bookId,
  unitId: row.unitId,
  isPooling: isPooling(row),
})

function referenceOf(row: BookRow) {
  const { priceRefLastPrice: price, priceRefLastUpdated: updated } = row
  if (!row.priceRefEnabled || price === null || updated === null) return null
  const band = bandOf(price, row.priceRefSpreadBps)
  return {
    price: asDecimal(price),
    mode: row.priceRefMode,
    enforcement: row.priceRefEnforcement,
    spreadBps: row.priceRefSpreadBps,
    lowerBound: band && asDecimal(band.lower),
    upperBound: band && asDecimal(band.upper),
    lastUpdated: updated.toISOString(),
  }
}

export function createReadsService({
  clock,
  units,
  ...options
}: TradingParts & { readonly dailyStatsCeiling?: number }) {
  const ceiling = options.dailyStatsCeiling ?? ROW_CEILING

  return {
    async snapshot(tenant: TenantDatabase, row: BookRow, levelsText: string | undefined) {
      const levels = countOf(levelsText, { fallback: 20, most: 100 })
      const now = clock.now()
      const [[figures], seen] = await Promise.all([
        tenant.read((sql) => store.readFigures(sql, eligibleOf(row), new Date(now.getTime() - DAY_MS))),
        units.depth(row.unitId, row.bookId, levels, row.version),
      ])
      const side = (from: (typeof seen.depth)['bids']) =>
        from.map(({ price, quantity, orders }) => ({
          price: price.toString(),
          quantity: quantity.toString(),
          orderCount: orders,
        }))
      return {
        orderBook: {
          id: row.bookId,
          tokenAddress: row.tokenAddress,
          quoteTokenAddress: row.quoteTokenAddress,
          name: row.name,
          symbol: row.symbol,
          status: row.status,
          tokenType: row.tokenType,
          settlementMode: row.settlementMode,
          custodyContract: row.custodyContract,
          allowImport: row.allowImport,
          priceRefEnabled: row.priceRefEnabled,
          makerFeeBps: row.makerFeeBps,
          takerFeeBps: row.takerFeeBps,
          minOrderSize: row.minOrderSize.toString(),
          maxOrderSize: row.maxOrderSize?.toString() ?? null,
          tickSize: row.tickSize.toString(),
        },
        depth: { bids: side(seen.depth.bids), asks: side(seen.depth.asks) },
        lastPrice: figures?.lastPrice?.toString() ?? null,
        priceReference: referenceOf(row),
        stats24h: {
          volume: (figures?.volume ?? 0n).toString(),
          trades: figures?.trades ?? 0,
          high: figures?.high?.toString() ?? null,
          low: figures?.low?.toString() ?? null,
        },
        timestamp: now.toISOString(),
        journal: { sequence: String(seen.sequence), headHash: seen.headHash },
      }
    },

    async trades(tenant: TenantDatabase, row: BookRow, request: TradesRequest) {
      return (await readTrades(tenant, request, store.tapeOf(eligibleOf(row)))).shown
    },

    async candles(tenant: TenantDatabase, row: BookRow, request: CandlesRequest) {
      const page = candlesPage(request)
      return shownCandles(await tenant.read((sql) => store.listCandles(sql, eligibleOf(row), page)), page)
    },

    async stats(tenant: TenantDatabase, row: BookRow) {
      const [found] = await tenant.read((sql) => store.readWindows(sql, eligibleOf(row), clock.now()))
      const window = (volume = 0n, trades = 0) => ({ volume: volume.toString(), trades })
      return {
        '1h': window(found?.volume1h, found?.trades1h),
        '24h': window(found?.volume24h, found?.trades24h),
        '7d': window(found?.volume7d, found?.trades7d),
        '30d': window(found?.volume30d, found?.trades30d),
      }
    },

    async daily(tenant: TenantDatabase, bookClass: BookClass, tokenText: string, range: Range) {
      const tokenAddress = requireAddressField('tokenAddress', tokenText)
      const own = await tenant.read((sql) => books.listOnToken(sql, tenant.instanceId, bookClass, tokenAddress))
      const [oldest] = own
      if (!oldest)
        return {
          hasOrderbook: false,
          orderbooks: [],
          stats: [],
          range,
          truncated: false,
          totals: { orderCount: 0, tradeCount: 0, volumeBase: 0, volumeQuote: 0 },
        }
      // A sum over different quote tokens would be a sum of different moneys.
      const added = own.filter(({ quoteTokenAddress }) => quoteTokenAddress === oldest.quoteTokenAddress)
      const peers = await Promise.all(
        added.filter(isPooling).map((book) => tenant.read((sql) => books.listPeers(sql, book))),
      )
      const ids = new Set([...added, ...peers.flat()].map(({ bookId }) => bookId))
      const days = daysOf(range, clock.now())
      const found = await tenant.read((sql) => store.readDays(sql, [...ids], days[0] ?? ''))
      return {
        hasOrderbook: true,
        orderbooks: own.map((book) => ({
          id: book.bookId,
          name: book.name,
          symbol: book.symbol,
          settlementMode: book.settlementMode,
          status: book.status,
          tokenType: book.tokenType,
          quoteTokenAddress: book.quoteTokenAddress,
        })),
        range,
        ...dailyStats(days, found, ceiling),
      }
    },

    async peers(tenant: TenantDatabase, row: BookRow) {
      const found = isPooling(row) ? await tenant.read((sql) => books.listPeers(sql, row)) : []
      return {
        enabled: row.allowSharedLiquidity,
        peerCount: found.length,
        peerIds: found.map(({ bookId }) => bookId),
        peers: found.map((peer) => ({
          id: peer.bookId,
          instanceId: peer.instanceId,
          name: peer.name,
          symbol: peer.symbol,
          tokenAddress: peer.tokenAddress,
          quoteTokenAddress: peer.quoteTokenAddress,
          custodyContract: peer.custodyContract,
          tokenType: peer.tokenType,
          status: peer.status,
          underlyingIdentifier: peer.underlyingIdentifier,
          cfid: peer.cfid,
        })),
      }
    },
  }
}

export type ReadsService = ReturnType<typeof createReadsService>
