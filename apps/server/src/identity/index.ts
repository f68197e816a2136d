import type { Route } from '../platform/http/route.ts'
import { addClaimRoute } from './claims/add-claim.route.ts'
import { createAddClaim } from './claims/add-claim.service.ts'
import { listClaimsRoute } from './claims/list-claims.route.ts'
import { createListClaims } from './claims/list-claims.service.ts'
import { createRevocation } from './claims/revocation.ts'
import { revokeClaimRoute } from './claims/revoke-claim.route.ts'
import { createRevokeClaim } from './claims/revoke-claim.service.ts'
import { createBatchVerify } from './identities/batch-verify.service.ts'
import { batchVerifyIdentitiesRoute } from './identities/batch-verify-identities.route.ts'
import { getIdentityStatusRoute } from './identities/get-identity-status.route.ts'
import { createReadStatus } from './identities/read-status.service.ts'
import { revokeIdentityRoute } from './identities/revoke-identity.route.ts'
import { createRevokeIdentity } from './identities/revoke-identity.service.ts'
import { createVerify } from './identities/verify.service.ts'
import { verifyIdentityRoute } from './identities/verify-identity.route.ts'
import type { IdentityParts } from './parts.ts'
import { createAttest } from './proofs/attest.service.ts'
import { attestProofsRoute } from './proofs/attest-proofs.route.ts'
import { createConfirmAttestation } from './proofs/confirm-attestation.service.ts'
import { listProofsRoute } from './proofs/list-proofs.route.ts'
import { createListProofs } from './proofs/list-proofs.service.ts'
import { revokeProofRoute } from './proofs/revoke-proof.route.ts'
import { createRevokeProof } from './proofs/revoke-proof.service.ts'
import { checkTransferRoute } from './register/check-transfer.route.ts'
import { createCheckTransfer } from './register/check-transfer.service.ts'
import { createFindRegister } from './register/find-register.service.ts'
import { listRegistriesRoute } from './register/list-registries.route.ts'
import { createListRegistries } from './register/list-registries.service.ts'

export { identityKinds } from './contracts.ts'

export const identityRoutes = (parts: IdentityParts): Route[] => {
  const registers = createFindRegister(parts.chains)
  const revocation = createRevocation(parts, registers)
  return [
    verifyIdentityRoute(createVerify(parts, registers)),
    batchVerifyIdentitiesRoute(createBatchVerify(parts, registers)),
    revokeIdentityRoute(createRevokeIdentity(parts, registers)),
    getIdentityStatusRoute(createReadStatus(registers)),
    addClaimRoute(createAddClaim(parts, registers)),
    revokeClaimRoute(createRevokeClaim(revocation)),
    listClaimsRoute(createListClaims(registers)),
    attestProofsRoute(createAttest(parts, registers), createConfirmAttestation(parts, registers)),
    revokeProofRoute(createRevokeProof(parts, revocation)),
    listProofsRoute(createListProofs(registers)),
    checkTransferRoute(createCheckTransfer(registers)),
    listRegistriesRoute(createListRegistries(parts.chains, registers)),
  ]
}
