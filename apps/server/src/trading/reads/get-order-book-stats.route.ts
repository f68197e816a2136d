import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const getOrderBookStatsRoute = (service: ClassBooksService) =>
  route(tradingOperations.getOrderBookStats, async ({ tenant, mountedAt, params }) => ({
    data: await service.stats(tenant, mountedAt, params.orderBookId),
  }))
