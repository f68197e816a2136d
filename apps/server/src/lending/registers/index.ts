import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { getIdentityGatesRoute } from './get-identity-gates.route.ts'
import { createIdentityGates } from './identity-gates.service.ts'
import { setIdentityGates } from './set-identity-gates.write.ts'

export const registersRoutes = (parts: LendingParts): Route[] => [
  getIdentityGatesRoute(createIdentityGates(parts)),
  setIdentityGates(parts),
]
