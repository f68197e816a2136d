import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const cancelOrderRoute = (service: ClassOrdersService) =>
  route(tradingOperations.cancelOrder, async ({ tenant, caller, mountedAt, params, body }) => ({
    data: await service.cancel(tenant, caller, mountedAt, { ...params, ...body }),
  }))
