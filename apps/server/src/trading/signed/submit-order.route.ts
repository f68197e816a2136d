import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const submitOrderRoute = (service: ClassOrdersService) =>
  route(tradingOperations.submitOrder, async ({ tenant, caller, mountedAt, body: { orderBookId, ...request } }) => ({
    data: await service.submit(tenant, caller, mountedAt, orderBookId, request),
  }))
