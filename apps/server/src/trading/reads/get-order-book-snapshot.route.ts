import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const getOrderBookSnapshotRoute = (service: ClassBooksService) =>
  route(tradingOperations.getOrderBookSnapshot, async ({ tenant, mountedAt, params, query }) => ({
    data: await service.snapshot(tenant, mountedAt, params.orderBookId, query.levels),
  }))
