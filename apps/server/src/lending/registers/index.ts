import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { getIdentityGatesRoute } from './get-identity-gates.route.ts'
import { createIdentityGates } from './identity-gates.service.ts'
import { setIdentityGatesRoute } from './set-identity-gates.route.ts'

export const registersRoutes = (parts: LendingParts): Route[] => {
  const gates = createIdentityGates(parts)
  return [getIdentityGatesRoute(gates), setIdentityGatesRoute(gates)]
}
