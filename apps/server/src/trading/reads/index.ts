import type { Route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'
import { getDailyStatsRoute } from './get-daily-stats.route.ts'
import { getOrderBookRoute } from './get-order-book.route.ts'
import { getOrderBookSnapshotRoute } from './get-order-book-snapshot.route.ts'
import { getOrderBookStatsRoute } from './get-order-book-stats.route.ts'
import { importBookRoute } from './import-book.route.ts'
import { listCandlesRoute } from './list-candles.route.ts'
import { listImportableBooksRoute } from './list-importable-books.route.ts'
import { listOrderBookTradesRoute } from './list-order-book-trades.route.ts'
import { listOrderBooksRoute } from './list-order-books.route.ts'
import { listSharedPeersRoute } from './list-shared-peers.route.ts'
import { removeBookImportRoute } from './remove-book-import.route.ts'

export type { CandlesRequest } from './candles-page.ts'
export { createClassBooksService } from './class-books.service.ts'
export { createImportsService } from './imports.service.ts'
export { createReadsService, type ReadsService } from './reads.service.ts'
export * as tape from './tape.store.ts'
export { readTrades, type TradesRequest } from './trades-page.ts'
export { listWaiting } from './waiting.store.ts'

export const classBookRoutes = (classes: ClassBooksService): Route[] => [
  getDailyStatsRoute(classes),
  getOrderBookSnapshotRoute(classes),
  getOrderBookStatsRoute(classes),
  getOrderBookRoute(classes),
  importBookRoute(classes),
  listCandlesRoute(classes),
  listImportableBooksRoute(classes),
  listOrderBookTradesRoute(classes),
  listOrderBooksRoute(classes),
  listSharedPeersRoute(classes),
  removeBookImportRoute(classes),
]
