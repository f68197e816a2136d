import { tradingOperations } from '@tallystick/wire'
import { keyKeepingRoute } from '../../platform/http/route.ts'
import type { OrdersService } from './orders.service.ts'

export const submitOffchainOrderRoute = (service: OrdersService) =>
  keyKeepingRoute(tradingOperations.submitOffchainOrder, async ({ tenant, caller, once, body }) => ({
    data: await service.submit(tenant, caller, body.orderBookId, body, once),
  }))
