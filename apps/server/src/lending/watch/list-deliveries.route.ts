import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Deliveries } from './deliveries.service.ts'

export const listDeliveriesRoute = (deliveries: Deliveries) =>
  route(lendingOperations.listDeliveries, ({ tenant, mountedAt, params, query }) =>
    deliveries.list({ tenant, mountedAt }, params.marketId, params.hookId, query),
  )
