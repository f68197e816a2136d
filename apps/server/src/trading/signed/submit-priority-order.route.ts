import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const submitPriorityOrderRoute = (service: ClassOrdersService) =>
  route(
    tradingOperations.submitPriorityOrder,
    async ({ tenant, caller, mountedAt, body: { orderBookId, ...request } }) => ({
      data: await service.submitPriority(tenant, caller, mountedAt, orderBookId, request),
    }),
  )
