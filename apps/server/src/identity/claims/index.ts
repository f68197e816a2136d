import type { Route } from '../../platform/http/route.ts'
import type { IdentityParts } from '../parts.ts'
import type { FindRegister } from '../register/index.ts'
import { addClaim } from './add-claim.write.ts'
import { listClaimsRoute } from './list-claims.route.ts'
import { createListClaims } from './list-claims.service.ts'
import { revokeClaim } from './revoke-claim.write.ts'

export { requireSlot } from './claim-request.ts'
export { filedClaim, isFiled } from './filed-claim.ts'
export { buildRevocation, requireEmptied, revocationEvidence, revokedFields } from './revocation.ts'

export const claimRoutes = (parts: IdentityParts, registers: FindRegister): Route[] => [
  addClaim(parts),
  revokeClaim(parts),
  listClaimsRoute(createListClaims(registers)),
]
