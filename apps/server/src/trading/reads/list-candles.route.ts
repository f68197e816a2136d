import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const listCandlesRoute = (service: ClassBooksService) =>
  route(tradingOperations.listCandles, async ({ tenant, mountedAt, params, query }) => ({
    data: await service.candles(tenant, mountedAt, params.orderBookId, query),
  }))
