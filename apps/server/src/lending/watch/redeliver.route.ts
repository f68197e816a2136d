import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Deliveries } from './deliveries.service.ts'

export const redeliverRoute = (deliveries: Deliveries) =>
  route(lendingOperations.redeliver, ({ tenant, mountedAt, params }) =>
    deliveries.redeliver({ tenant, mountedAt }, params.marketId, params.hookId, params.deliveryId),
  )
