import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const listOrderBooksRoute = (service: ClassBooksService) =>
  route(tradingOperations.listOrderBooks, async ({ tenant, mountedAt, query }) => ({
    data: await service.list(tenant, mountedAt, query.status),
  }))
