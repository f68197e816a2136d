import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Fetch } from './fetch.service.ts'

export const getStockRoute = (fetch: Fetch) =>
  route(stocksOperations.getStock, ({ tenant, params }) => fetch.get(tenant, params.tokenAddress))
