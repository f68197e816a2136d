import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OrdersService } from './orders.service.ts'

export const getOffchainOrderRoute = (service: OrdersService) =>
  route(tradingOperations.getOffchainOrder, async ({ tenant, params }) => ({
    data: await service.get(tenant, params.orderId),
  }))
