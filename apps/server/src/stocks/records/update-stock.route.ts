import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { UpdateStock } from './update-stock.service.ts'

export const updateStockRoute = (update: UpdateStock) =>
  route(stocksOperations.updateStock, ({ tenant, params, body }) => update(tenant, params.tokenAddress, body))
