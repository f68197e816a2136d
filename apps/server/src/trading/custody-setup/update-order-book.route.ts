import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { BookChanges } from './change-book.service.ts'

export const updateOrderBookRoute = (service: BookChanges) =>
  route(tradingOperations.updateOrderBook, async ({ tenant, caller, mountedAt, params, body }) => ({
    data: await service.update(tenant, caller, mountedAt, params.orderBookId, body),
  }))
