import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const getDailyStatsRoute = (service: ClassBooksService) =>
  route(tradingOperations.getDailyStats, async ({ tenant, mountedAt, params, query }) => ({
    data: await service.daily(tenant, mountedAt, params.tokenAddress, query.range),
  }))
