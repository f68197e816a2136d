import type { Route } from '../../platform/http/route.ts'
import type { StocksParts } from '../parts.ts'
import { updateStockRoute } from './update-stock.route.ts'
import { createUpdateStock } from './update-stock.service.ts'

export { asAddress, ifGiven, refuseRelayer, requireFields } from './request-fields.ts'
export { keepReasonOf, requireStock, shownRecord } from './stocks.service.ts'
export { insertStock, listStocks } from './stocks.store.ts'
export { checkTerms } from './terms.ts'

export const recordRoutes = (parts: StocksParts): Route[] => [updateStockRoute(createUpdateStock(parts))]
