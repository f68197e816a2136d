import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const prepareOrderRoute = (service: ClassOrdersService) =>
  route(tradingOperations.prepareOrder, async ({ tenant, mountedAt, body: { orderBookId, ...wish } }) =>
    service.prepare(tenant, mountedAt, orderBookId, wish),
  )
