import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const getOrderBookRoute = (service: ClassBooksService) =>
  route(tradingOperations.getOrderBook, async ({ tenant, mountedAt, params }) => ({
    data: await service.get(tenant, mountedAt, params.orderBookId),
  }))
