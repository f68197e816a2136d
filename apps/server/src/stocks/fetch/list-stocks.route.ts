import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Fetch } from './fetch.service.ts'

export const listStocksRoute = (fetch: Fetch) => route(stocksOperations.listStocks, ({ tenant }) => fetch.list(tenant))
