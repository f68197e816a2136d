import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OrdersService } from './orders.service.ts'

export const massCancelOffchainOrdersRoute = (service: OrdersService) =>
  route(tradingOperations.massCancelOffchainOrders, async ({ tenant, caller, body }) => ({
    data: await service.massCancel(tenant, caller, body),
  }))
