import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { TopUp } from './top-up.service.ts'

export const topUpInsuranceRoute = (topUp: TopUp) =>
  route(lendingOperations.topUpInsurance, ({ tenant, mountedAt, params, body }) =>
    topUp.build({ tenant, mountedAt }, params.marketId, body),
  )
