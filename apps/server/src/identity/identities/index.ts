import type { Route } from '../../platform/http/route.ts'
import type { IdentityParts } from '../parts.ts'
import type { FindRegister } from '../register/index.ts'
import { batchVerifyIdentities } from './batch-verify-identities.write.ts'
import { getIdentityStatusRoute } from './get-identity-status.route.ts'
import { createReadStatus } from './read-status.service.ts'
import { revokeIdentity } from './revoke-identity.write.ts'
import { verifyIdentity } from './verify-identity.write.ts'

export { statusOf } from './read-status.service.ts'

export const identitiesRoutes = (parts: IdentityParts, registers: FindRegister): Route[] => [
  verifyIdentity(parts),
  batchVerifyIdentities(parts),
  revokeIdentity(parts),
  getIdentityStatusRoute(createReadStatus(registers)),
]
