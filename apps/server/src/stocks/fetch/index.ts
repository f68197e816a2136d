import type { Route } from '../../platform/http/route.ts'
import type { StocksParts } from '../parts.ts'
import { canTransferSharesRoute } from './can-transfer-shares.route.ts'
import { checkRoleRoute } from './check-role.route.ts'
import { createFetch } from './fetch.service.ts'
import { getShareBalanceRoute } from './get-share-balance.route.ts'
import { getStockRoute } from './get-stock.route.ts'
import { createLedger } from './ledger.service.ts'
import { listHoldersRoute } from './list-holders.route.ts'
import { listHoldingsRoute } from './list-holdings.route.ts'
import { listStockTransactionsRoute } from './list-stock-transactions.route.ts'
import { listStocksRoute } from './list-stocks.route.ts'

export const fetchRoutes = (parts: StocksParts): Route[] => {
  const fetch = createFetch(parts)
  const ledger = createLedger(parts)
  return [
    listStocksRoute(fetch),
    getStockRoute(fetch),
    checkRoleRoute(fetch),
    canTransferSharesRoute(fetch),
    getShareBalanceRoute(fetch),
    listHoldingsRoute(fetch),
    listHoldersRoute(ledger),
    listStockTransactionsRoute(ledger),
  ]
}
