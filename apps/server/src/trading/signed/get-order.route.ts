import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const getOrderRoute = (service: ClassOrdersService) =>
  route(tradingOperations.getOrder, async ({ tenant, mountedAt, params: { orderId } }) => ({
    data: await service.get(tenant, mountedAt, orderId),
  }))
