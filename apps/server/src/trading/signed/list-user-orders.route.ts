import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const listUserOrdersRoute = (service: ClassOrdersService) =>
  route(tradingOperations.listUserOrders, async ({ tenant, mountedAt, params: { userAddress }, query }) => ({
    data: await service.ordersOfUser(tenant, mountedAt, userAddress, query),
  }))
