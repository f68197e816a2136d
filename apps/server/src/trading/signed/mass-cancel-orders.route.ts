import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const massCancelOrdersRoute = (service: ClassOrdersService) =>
  route(tradingOperations.massCancelOrders, async ({ tenant, caller, mountedAt, body }) => ({
    data: await service.massCancel(tenant, caller, mountedAt, body),
  }))
