import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { IdentityGates } from './identity-gates.service.ts'

export const getIdentityGatesRoute = (gates: IdentityGates) =>
  route(lendingOperations.getIdentityGates, ({ tenant, mountedAt, params }) =>
    gates.get({ tenant, mountedAt }, params.marketId),
  )
