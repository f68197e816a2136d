import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OrdersService } from './orders.service.ts'

export const submitOffchainOrderRoute = (service: OrdersService) =>
  route(tradingOperations.submitOffchainOrder, async ({ tenant, caller, body: { orderBookId, ...request } }) => ({
    data: await service.submit(tenant, caller, orderBookId, request),
  }))
