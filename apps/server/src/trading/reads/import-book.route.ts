import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassBooksService } from './class-books.service.ts'

export const importBookRoute = (service: ClassBooksService) =>
  route(tradingOperations.importBook, async ({ tenant, caller, mountedAt, body }) => ({
    data: await service.import(tenant, caller.instance, mountedAt, body.orderBookId),
  }))
