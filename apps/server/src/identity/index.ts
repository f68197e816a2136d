import type { Route } from '../platform/http/route.ts'
import { claimRoutes } from './claims/index.ts'
import { identitiesRoutes } from './identities/index.ts'
import { investorRoutes } from './investors/index.ts'
import type { IdentityParts } from './parts.ts'
import { proofRoutes } from './proofs/index.ts'
import { createFindRegister, registerRoutes } from './register/index.ts'

export { identityKinds } from './contracts.ts'
export { listInvestors } from './investors/index.ts'

export const identityRoutes = (parts: IdentityParts): Route[] => {
  const registers = createFindRegister(parts.chains)
  const folders = [identitiesRoutes, claimRoutes, proofRoutes, registerRoutes, investorRoutes]
  return folders.flatMap((routes) => routes(parts, registers))
}
