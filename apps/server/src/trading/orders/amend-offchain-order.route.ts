import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OrdersService } from './orders.service.ts'

export const amendOffchainOrderRoute = (service: OrdersService) =>
  route(tradingOperations.amendOffchainOrder, async ({ tenant, caller, params, body }) => ({
    data: await service.amend(tenant, caller, params.orderId, body),
  }))
