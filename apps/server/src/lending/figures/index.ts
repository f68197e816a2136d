import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { getHistoryRoute } from './get-history.route.ts'
import { getIndexStatusRoute } from './get-index-status.route.ts'
import { getMaxBorrowRoute } from './get-max-borrow.route.ts'
import { getMetricsRoute } from './get-metrics.route.ts'
import { getSupplyCapsRoute } from './get-supply-caps.route.ts'
import { createHistory } from './history.service.ts'
import { createIndexStatus } from './index-status.service.ts'
import { listMarketTransactionsRoute } from './list-market-transactions.route.ts'
import { createLiveFigures } from './live-figures.service.ts'
import { createTransactions } from './transactions.service.ts'

export const figuresRoutes = (parts: LendingParts): Route[] => {
  const figures = createLiveFigures(parts)
  return [
    getMetricsRoute(figures),
    getMaxBorrowRoute(figures),
    getSupplyCapsRoute(figures),
    listMarketTransactionsRoute(createTransactions()),
    getHistoryRoute(createHistory(parts)),
    getIndexStatusRoute(createIndexStatus(parts)),
  ]
}
