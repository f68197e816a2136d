import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const prepareOrderRoute = (service: ClassOrdersService) =>
  route(tradingOperations.prepareOrder, async ({ tenant, mountedAt, body: { orderBookId, ...request } }) =>
    service.prepare(tenant, mountedAt, orderBookId, request),
  )
