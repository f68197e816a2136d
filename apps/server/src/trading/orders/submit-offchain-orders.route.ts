import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OrdersService } from './orders.service.ts'

export const submitOffchainOrdersRoute = (service: OrdersService) =>
  route(tradingOperations.submitOffchainOrders, async ({ tenant, caller, body }) => ({
    data: await service.submitBatch(tenant, caller, body.orderBookId, body.orders),
  }))
