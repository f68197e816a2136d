import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const listUserTradesRoute = (service: ClassOrdersService) =>
  route(tradingOperations.listUserTrades, async ({ tenant, mountedAt, params: { userAddress }, query }) => ({
    data: await service.tradesOfUser(tenant, mountedAt, userAddress, query),
  }))
