import type { Route } from '../platform/http/route.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { RepeatedJob } from '../platform/repeat.ts'
import { createAccountsService } from './accounts/accounts.service.ts'
import { createAccountRoute } from './accounts/create-account.route.ts'
import { getAccountRoute } from './accounts/get-account.route.ts'
import { listAccountsRoute } from './accounts/list-accounts.route.ts'
import { updateAccountRoute } from './accounts/update-account.route.ts'
import { createAgreedTrades } from './agreed/agreed-trades.service.ts'
import {
  auctionRoutes,
  createAuctionSchedule,
  createAuctionsService,
  createCollectedOrders,
  startAuctionJob,
} from './auctions/index.ts'
import { createBooksService } from './books/books.service.ts'
import { createCustodySetup, custodySetupRoutes } from './custody-setup/custody-setup.ts'
import { creditLedgerRoute } from './ledger/credit-ledger.route.ts'
import { debitLedgerRoute } from './ledger/debit-ledger.route.ts'
import { createLedgerService } from './ledger/ledger.service.ts'
import { listLedgerBalancesRoute } from './ledger/list-ledger-balances.route.ts'
import { listLedgerEntriesRoute } from './ledger/list-ledger-entries.route.ts'
import { listLedgerTokensRoute } from './ledger/list-ledger-tokens.route.ts'
import { registerLedgerTokenRoute } from './ledger/register-ledger-token.route.ts'
import { createOffchainBookRoute } from './offchain-books/create-offchain-book.route.ts'
import { getOffchainBookRoute } from './offchain-books/get-offchain-book.route.ts'
import { getOffchainPriceReferenceRoute } from './offchain-books/get-offchain-price-reference.route.ts'
import { getOffchainSnapshotRoute } from './offchain-books/get-offchain-snapshot.route.ts'
import { listOffchainBooksRoute } from './offchain-books/list-offchain-books.route.ts'
import { listOffchainTradesRoute } from './offchain-books/list-offchain-trades.route.ts'
import { createOffchainBooksService } from './offchain-books/offchain-books.service.ts'
import { setOffchainPriceReferenceRoute } from './offchain-books/set-offchain-price-reference.route.ts'
import { updateOffchainBookRoute } from './offchain-books/update-offchain-book.route.ts'
import { amendOffchainOrderRoute } from './orders/amend-offchain-order.route.ts'
import { cancelOffchainOrderRoute } from './orders/cancel-offchain-order.route.ts'
import { getOffchainOrderRoute } from './orders/get-offchain-order.route.ts'
import { listCustomerOrdersRoute } from './orders/list-customer-orders.route.ts'
import { listCustomerTradesRoute } from './orders/list-customer-trades.route.ts'
import { massCancelOffchainOrdersRoute } from './orders/mass-cancel-offchain-orders.route.ts'
import { createOrdersService } from './orders/orders.service.ts'
import { submitOffchainOrderRoute } from './orders/submit-offchain-order.route.ts'
import { submitOffchainOrdersRoute } from './orders/submit-offchain-orders.route.ts'
import type { TradingParts } from './parts.ts'
import { createClassBooksService } from './reads/class-books.service.ts'
import { getDailyStatsRoute } from './reads/get-daily-stats.route.ts'
import { getOrderBookRoute } from './reads/get-order-book.route.ts'
import { getOrderBookSnapshotRoute } from './reads/get-order-book-snapshot.route.ts'
import { getOrderBookStatsRoute } from './reads/get-order-book-stats.route.ts'
import { importBookRoute } from './reads/import-book.route.ts'
import { createImportsService } from './reads/imports.service.ts'
import { listImportableBooksRoute } from './reads/list-importable-books.route.ts'
import { listOrderBookTradesRoute } from './reads/list-order-book-trades.route.ts'
import { listOrderBooksRoute } from './reads/list-order-books.route.ts'
import { listSharedPeersRoute } from './reads/list-shared-peers.route.ts'
import { createReadsService } from './reads/reads.service.ts'
import { removeBookImportRoute } from './reads/remove-book-import.route.ts'
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
import { createClassOrdersService, signedOrderRoutes } from './signed/index.ts'
import { createSignedRows } from './signed/signed-rows.ts'
import { createCustodies } from './signed/token-terms.service.ts'
import { createStreams, createUnitWakes, streamRoutes } from './streams/index.ts'
import { createUnitsService, type UnitsParts } from './unit/units.service.ts'

export { tradingKinds } from './contracts.ts'

export interface TradingSettings extends Pick<UnitsParts, 'snapshotEvery' | 'largestGroup'> {
  /** Rows behind the daily statistics, above which the oldest days are left out. */
  readonly dailyStatsCeiling?: number
  /** Blocks after which nothing changes any more, on a chain that does not say so itself. */
  readonly confirmations?: number
  /** How long streams may miss a commit when every wake-up is lost. */
  readonly streamPollMs?: number
  /** What the operator decides about price feeds. */
  readonly feeds?: FeedOptions
}

/** The order books of this process. Any number of processes may serve the same ones. */
export function createTrading(wish: UnitsParts & TradingSettings & Pick<TradingParts, 'chains' | 'intents'>) {
  const wakes = createUnitWakes(wish.database)
  const units = createUnitsService({ ...wish, onCommitted: wakes.committed })
  const feeds = createFeedSources(wish.feeds)
  const parts: TradingParts = { ...wish, units }
  const collected = createCollectedOrders(parts)
  const books = createBooksService({ ...parts, feeds, collected })
  const reads = createReadsService({ ...wish, ...parts })
  const references = createPriceReferenceService(parts)
  const agreed = createAgreedTrades({
    ...parts,
    custodies: createCustodies(wish),
    signedRows: createSignedRows(wish.database),
  })
  return {
    units,
    books,
    reads,
    agreed,
    rfqs: createRfqs({ ...parts, agreed }),
    orders: createOrdersService({ ...parts, books }),
    signedOrders: createClassOrdersService({ ...parts, books }),
    custody: createCustodySetup({ ...parts, books, reads }),
    ledger: createLedgerService(parts),
    accounts: createAccountsService(parts),
    streams: createStreams({ ...parts, books, wakes, ...(wish.streamPollMs ? { pollMs: wish.streamPollMs } : {}) }),
    offchain: createOffchainBooksService({ books, reads, references }),
    references: createClassReferencesService({ books, references }),
    auctions: createAuctionsService({ books }),
    settlements: createSettlements({ ...parts, confirmations: wish.confirmations }),
    feedRefresh: createFeedRefresh({ ...parts, feeds }),
    auctionSchedule: createAuctionSchedule({ ...parts, collected }),
    classes: createClassBooksService({ books, reads, imports: createImportsService(parts) }),
  }
}

export type Trading = ReturnType<typeof createTrading>

/** What a worker does for the order books. Several workers may; they never do the same thing twice. */
export function startTradingJobs(
  { auctionSchedule, feedRefresh, settlements, rfqs }: Trading,
  parts: { readonly log: Log; readonly metrics: Metrics },
): RepeatedJob[] {
  const { log } = parts
  return [
    startAuctionJob({ schedule: auctionSchedule, log }),
    startFeedJob({ refresh: feedRefresh, log }),
    ...startSettlementJobs(settlements, parts),
    ...startRfqJobs(rfqs, log),
  ]
}

export function tradingRoutes({
  custody,
  accounts,
  ledger,
  orders,
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
    createAccountRoute(accounts),
    getAccountRoute(accounts),
    listAccountsRoute(accounts),
    updateAccountRoute(accounts),
    creditLedgerRoute(ledger),
    debitLedgerRoute(ledger),
    listLedgerBalancesRoute(ledger),
    listLedgerEntriesRoute(ledger),
    listLedgerTokensRoute(ledger),
    registerLedgerTokenRoute(ledger),
    amendOffchainOrderRoute(orders),
    cancelOffchainOrderRoute(orders),
    getOffchainOrderRoute(orders),
    listCustomerOrdersRoute(orders),
    listCustomerTradesRoute(orders),
    massCancelOffchainOrdersRoute(orders),
    submitOffchainOrderRoute(orders),
    submitOffchainOrdersRoute(orders),
    createOffchainBookRoute(offchain),
    getOffchainBookRoute(offchain),
    getOffchainPriceReferenceRoute(offchain),
    getOffchainSnapshotRoute(offchain),
    listOffchainBooksRoute(offchain),
    listOffchainTradesRoute(offchain),
    setOffchainPriceReferenceRoute(offchain),
    updateOffchainBookRoute(offchain),
    getDailyStatsRoute(classes),
    getOrderBookSnapshotRoute(classes),
    getOrderBookStatsRoute(classes),
    getOrderBookRoute(classes),
    importBookRoute(classes),
    listImportableBooksRoute(classes),
    listOrderBookTradesRoute(classes),
    listOrderBooksRoute(classes),
    listSharedPeersRoute(classes),
    removeBookImportRoute(classes),
    ...rfqRoutes(rfqs),
  ]
}
