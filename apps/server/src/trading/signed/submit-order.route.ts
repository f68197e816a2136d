import { tradingOperations } from '@tallystick/wire'
import { keyKeepingRoute } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const submitOrderRoute = (service: ClassOrdersService) =>
  keyKeepingRoute(
    tradingOperations.submitOrder,
    async ({ tenant, caller, mountedAt, once, body: { orderBookId, ...request } }) => ({
      data: await service.submit(tenant, caller, mountedAt, orderBookId, request, once),
    }),
  )
