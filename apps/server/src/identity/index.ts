import type { Route } from '../platform/http/route.ts'
import { addClaim } from './claims/add-claim.write.ts'
import { listClaimsRoute } from './claims/list-claims.route.ts'
import { createListClaims } from './claims/list-claims.service.ts'
import { revokeClaim } from './claims/revoke-claim.write.ts'
import { batchVerifyIdentities } from './identities/batch-verify-identities.write.ts'
import { getIdentityStatusRoute } from './identities/get-identity-status.route.ts'
import { createReadStatus } from './identities/read-status.service.ts'
import { revokeIdentity } from './identities/revoke-identity.write.ts'
import { verifyIdentity } from './identities/verify-identity.write.ts'
import type { IdentityParts } from './parts.ts'
import { createAttest } from './proofs/attest.service.ts'
import { attestProofsRoute } from './proofs/attest-proofs.route.ts'
import { createConfirmAttestation } from './proofs/confirm-attestation.service.ts'
import { listProofsRoute } from './proofs/list-proofs.route.ts'
import { createListProofs } from './proofs/list-proofs.service.ts'
import { revokeProof } from './proofs/revoke-proof.write.ts'
import { checkTransferRoute } from './register/check-transfer.route.ts'
import { createCheckTransfer } from './register/check-transfer.service.ts'
import { createFindRegister } from './register/find-register.service.ts'
import { listRegistriesRoute } from './register/list-registries.route.ts'
import { createListRegistries } from './register/list-registries.service.ts'

export { identityKinds } from './contracts.ts'

export const identityRoutes = (parts: IdentityParts): Route[] => {
  const registers = createFindRegister(parts.chains)
  return [
    verifyIdentity(parts),
    batchVerifyIdentities(parts),
    revokeIdentity(parts),
    getIdentityStatusRoute(createReadStatus(registers)),
    addClaim(parts),
    revokeClaim(parts),
    listClaimsRoute(createListClaims(registers)),
    attestProofsRoute(createAttest(parts, registers), createConfirmAttestation(parts, registers)),
    revokeProof(parts),
    listProofsRoute(createListProofs(registers)),
    checkTransferRoute(createCheckTransfer(registers)),
    listRegistriesRoute(createListRegistries(parts.chains, registers)),
  ]
}
