import { tradingOperations } from '@tallystick/wire'
import { keyKeepingRoute } from '../../platform/http/route.ts'
import type { OrdersService } from './orders.service.ts'

export const submitOffchainOrdersRoute = (service: OrdersService) =>
  keyKeepingRoute(tradingOperations.submitOffchainOrders, async ({ tenant, caller, once, body }) => ({
    data: await service.submitBatch(tenant, caller, body.orderBookId, body.orders, once),
  }))
