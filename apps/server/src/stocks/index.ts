import type { Route } from '../platform/http/route.ts'
import type { Projection } from '../writes/index.ts'
import { deployStockRoute } from './deploy/deploy-stock.route.ts'
import { createDeployStock } from './deploy/deploy-stock.service.ts'
import { logStockDeploymentRoute } from './deploy/log-stock-deployment.route.ts'
import { canTransferSharesRoute } from './fetch/can-transfer-shares.route.ts'
import { checkRoleRoute } from './fetch/check-role.route.ts'
import { createFetch } from './fetch/fetch.service.ts'
import { getShareBalanceRoute } from './fetch/get-share-balance.route.ts'
import { getStockRoute } from './fetch/get-stock.route.ts'
import { createLedger } from './fetch/ledger.service.ts'
import { listHoldersRoute } from './fetch/list-holders.route.ts'
import { listHoldingsRoute } from './fetch/list-holdings.route.ts'
import { listStockTransactionsRoute } from './fetch/list-stock-transactions.route.ts'
import { listStocksRoute } from './fetch/list-stocks.route.ts'
import type { StocksParts } from './parts.ts'
import { updateStockRoute } from './update-stock.route.ts'
import { createUpdateStock } from './update-stock.service.ts'
import { writeRoutes } from './writes/write-routes.ts'

export { stocksKinds } from './contracts.ts'

/** A record stands by the facts themselves: nothing is derived from them. */
export const stocksProjections: readonly Projection[] = []

export const stocksRoutes = (parts: StocksParts): Route[] => {
  const deploy = createDeployStock(parts)
  const fetch = createFetch(parts)
  const ledger = createLedger()
  return [
    deployStockRoute(deploy),
    logStockDeploymentRoute(deploy),
    ...writeRoutes(parts),
    updateStockRoute(createUpdateStock(parts)),
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
