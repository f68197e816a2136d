import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Surplus } from './surplus.service.ts'

export const getEscrowedSurplusRoute = (surplus: Surplus) =>
  route(lendingOperations.getEscrowedSurplus, ({ tenant, mountedAt, params }) =>
    surplus.get({ tenant, mountedAt }, params.marketId, params.holder),
  )
