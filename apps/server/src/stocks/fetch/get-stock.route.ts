import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Fetch } from './fetch.service.ts'

export const getStockRoute = (fetch: Fetch) =>
  route(stocksOperations.getStock, ({ tenant, params }) => fetch.get(tenant, params.tokenAddress))
