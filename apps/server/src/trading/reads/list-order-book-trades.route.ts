import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const listOrderBookTradesRoute = (service: ClassBooksService) =>
  route(tradingOperations.listOrderBookTrades, async ({ tenant, mountedAt, params, query }) => ({
    data: await service.trades(tenant, mountedAt, params.orderBookId, query),
  }))
