import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { TopUp } from './top-up.service.ts'

export const recordTopUpRoute = (topUp: TopUp) =>
  route(lendingOperations.recordTopUp, ({ tenant, mountedAt, params, body }) =>
    topUp.record({ tenant, mountedAt }, params.marketId, body),
  )
