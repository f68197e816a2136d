import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OrdersService } from './orders.service.ts'

export const cancelOffchainOrderRoute = (service: OrdersService) =>
  route(tradingOperations.cancelOffchainOrder, async ({ tenant, caller, params, body }) => ({
    data: await service.cancel(tenant, caller, params.orderId, body.customerRef),
  }))
