import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ClassOrdersService } from './class-orders.service.ts'

export const raiseNonceFloorRoute = (service: ClassOrdersService) =>
  route(tradingOperations.raiseNonceFloor, async ({ tenant, mountedAt, body }) =>
    service.raiseNonceFloor(tenant, mountedAt, body),
  )
