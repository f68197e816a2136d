import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const cancelOrdersOnChainRoute = (service: ClassOrdersService) =>
  route(tradingOperations.cancelOrdersOnChain, async ({ tenant, caller, mountedAt, body }) =>
    service.cancelOnChain(tenant, caller, mountedAt, body),
  )
