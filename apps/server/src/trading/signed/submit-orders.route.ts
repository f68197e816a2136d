import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const submitOrdersRoute = (service: ClassOrdersService) =>
  route(tradingOperations.submitOrders, async ({ tenant, caller, mountedAt, body: { orderBookId, orders } }) => ({
    data: await service.submitBatch(tenant, caller, mountedAt, orderBookId, orders),
  }))
