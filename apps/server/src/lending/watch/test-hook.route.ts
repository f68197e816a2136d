import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Deliveries } from './deliveries.service.ts'

export const testHookRoute = (deliveries: Deliveries) =>
  route(lendingOperations.testHook, ({ tenant, mountedAt, params }) =>
    deliveries.test({ tenant, mountedAt }, params.marketId, params.hookId),
  )
