import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { GetHandover } from './handover.service.ts'

export const getHandoverRoute = (handover: GetHandover) =>
  route(lendingOperations.getHandover, ({ tenant, mountedAt, params }) =>
    handover({ tenant, mountedAt }, params.marketId),
  )
