import type { Clock } from '../platform/clock.ts'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { Route } from '../platform/http/route.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { RepeatedJob } from '../platform/repeat.ts'
import { accountRoutes, createAccountsService } from './accounts/index.ts'
import { createAgreedTrades } from './agreed/index.ts'
import {
  auctionRoutes,
  createAuctionSchedule,
  createAuctionsService,
  createCollectedOrders,
  startAuctionJob,
} from './auctions/index.ts'
import { createBooksService } from './books/index.ts'
import { createCustodySetup, custodySetupRoutes } from './custody-setup/index.ts'
import { createLedgerService, createStatements, ledgerRoutes } from './ledger/index.ts'
import { createOffchainBooksService, offchainBookRoutes } from './offchain-books/index.ts'
import { createOrdersService, orderRoutes } from './orders/index.ts'
import type { TradingParts } from './parts.ts'
import {
  classBookRoutes,
  createClassBooksService,
  createImportsService,
  createReadsService,
  listWaiting,
} from './reads/index.ts'
import {
  createClassReferencesService,
  createFeedRefresh,
  createFeedSources,
  createPriceReferenceService,
  type FeedOptions,
  referenceRoutes,
  startFeedJob,
} from './references/index.ts'
import { createRfqs, rfqRoutes, startRfqJobs } from './rfq/index.ts'
import { createSettlements, settlementRoutes, startSettlementJobs } from './settlements/index.ts'
import {
  createClassOrdersService,
  createCustodies,
  createSignedRows,
  createSplitWatch,
  signedOrderRoutes,
  startSplitJob,
} from './signed/index.ts'
import { createStreams, createUnitWakes, streamRoutes } from './streams/index.ts'
import { createUnitsService, startProjectionJob, type UnitsParts } from './unit/index.ts'

export { ArchiveError, type Archives, createArchives, verifyArchive } from './archive/index.ts'
export { tradingKinds } from './contracts.ts'

export interface TradingSettings
  extends Pick<UnitsParts, 'snapshotEvery' | 'longestWaitMs' | 'largestGroup' | 'peerUrl' | 'orderServers'> {
  /** Rows behind the daily statistics, above which the oldest days are left out. */
  readonly dailyStatsCeiling?: number
  /** Blocks after which nothing changes any more, on a chain that does not say so itself. */
  readonly confirmations?: number
  /** How long streams may miss a commit when every wake-up is lost. */
  readonly streamPollMs?: number
  /** What the operator decides about price feeds. */
  readonly feeds?: FeedOptions
  /** By which everything on the books is dated, where it is not that of the process. */
  readonly clock?: Clock
}

/** The order books of this process. Any number of processes may serve the same ones. */
export function createTrading(
  request: UnitsParts & Omit<TradingSettings, 'clock'> & Pick<TradingParts, 'chains' | 'writes'>,
) {
  const wakes = createUnitWakes(request.database)
  const units = createUnitsService({ ...request, onCommitted: wakes.committed })
  const feeds = createFeedSources(request.feeds)
  const parts: TradingParts = { ...request, units }
  const collected = createCollectedOrders(parts)
  const books = createBooksService({ ...parts, feeds, collected })
  const reads = createReadsService({ ...request, ...parts })
  const references = createPriceReferenceService(parts)
  const agreed = createAgreedTrades({
    ...parts,
    custodies: createCustodies(request),
    signedRows: createSignedRows(request.database),
  })
  return {
    units,
    /** What somebody has to do something about. */
    async waiting(tenant: TenantDatabase, limit: number) {
      await units.settled(tenant.instanceId)
      return tenant.read((sql) => listWaiting(sql, tenant.instanceId, limit))
    },
    books,
    reads,
    agreed,
    rfqs: createRfqs({ ...parts, agreed }),
    orders: createOrdersService({ ...parts, books }),
    signedOrders: createClassOrdersService({ ...parts, books }),
    custody: createCustodySetup({ ...parts, books, reads }),
    ledger: createLedgerService(parts),
    statements: createStatements(parts),
    accounts: createAccountsService(parts),
    streams: createStreams({
      ...parts,
      books,
      wakes,
      ...(request.streamPollMs ? { pollMs: request.streamPollMs } : {}),
    }),
    offchain: createOffchainBooksService({ books, reads, references }),
    references: createClassReferencesService({ books, references }),
    auctions: createAuctionsService({ ...parts, books }),
    splits: { watch: createSplitWatch(parts), chains: request.chains },
    settlements: createSettlements({ ...parts, confirmations: request.confirmations }),
    feedRefresh: createFeedRefresh({ ...parts, feeds }),
    auctionSchedule: createAuctionSchedule({ ...parts, collected }),
    classes: createClassBooksService({ books, reads, imports: createImportsService(parts) }),
  }
}

export type Trading = ReturnType<typeof createTrading>

/** What a worker does for the order books. Several workers may; they never do the same thing twice. */
export function startTradingJobs(
  { auctionSchedule, feedRefresh, settlements, splits, rfqs, units }: Trading,
  parts: { readonly log: Log; readonly metrics: Metrics },
): RepeatedJob[] {
  const { log } = parts
  return [
    startProjectionJob({ units, ...parts }),
    startAuctionJob({ schedule: auctionSchedule, log }),
    startFeedJob({ refresh: feedRefresh, log }),
    ...startSettlementJobs(settlements, parts),
    ...splits.chains.all.map((chain) => startSplitJob({ watch: splits.watch, chain, ...parts })),
    ...startRfqJobs(rfqs, log),
  ]
}

/** Whoever reads is shown everything that was answered before, also when its rows are still to come. */
function onceSettled({ units }: Trading, route: Route): Route {
  if (route.serves === 'listeners') {
    const open: typeof route.open = async (call) => {
      await units.settled(call.tenant.instanceId)
      return route.open(call)
    }
    return { ...route, open }
  }
  if (route.serves !== 'instances' || route.operation.method !== 'GET') return route
  const handle: typeof route.handle = async (call) => {
    await units.settled(call.tenant.instanceId)
    return route.handle(call)
  }
  return { ...route, handle }
}

/** Orders of a ledger are served best where it is in memory. */
const whereMatched = ({ units: { servedBest } }: Trading, routes: readonly Route[]): Route[] =>
  routes.map((route) =>
    route.serves === 'instances' && route.operation.method !== 'GET' ? { ...route, servedBest } : route,
  )

export const tradingRoutes = (trading: Trading): Route[] =>
  [...whereMatched(trading, orderRoutes(trading.orders)), ...routesOf(trading)].map((route) =>
    onceSettled(trading, route),
  )

function routesOf({
  custody,
  accounts,
  ledger,
  statements,
  offchain,
  classes,
  auctions,
  references,
  settlements,
  signedOrders,
  streams,
  rfqs,
}: Trading): Route[] {
  return [
    ...streamRoutes(streams),
    ...auctionRoutes(auctions),
    ...settlementRoutes(settlements),
    ...signedOrderRoutes(signedOrders),
    ...referenceRoutes(references),
    ...custodySetupRoutes(custody),
    ...accountRoutes(accounts),
    ...ledgerRoutes(ledger, statements),
    ...offchainBookRoutes(offchain),
    ...classBookRoutes(classes),
    ...rfqRoutes(rfqs),
  ]
}
