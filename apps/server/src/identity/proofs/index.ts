import type { Route } from '../../platform/http/route.ts'
import type { IdentityParts } from '../parts.ts'
import type { FindRegister } from '../register/index.ts'
import { createAttest } from './attest.service.ts'
import { attestProofsRoute } from './attest-proofs.route.ts'
import { createConfirmAttestation } from './confirm-attestation.service.ts'
import { listProofsRoute } from './list-proofs.route.ts'
import { createListProofs } from './list-proofs.service.ts'
import { revokeProof } from './revoke-proof.write.ts'

export const proofRoutes = (parts: IdentityParts, registers: FindRegister): Route[] => [
  attestProofsRoute(createAttest(parts, registers), createConfirmAttestation(parts, registers)),
  revokeProof(parts),
  listProofsRoute(createListProofs(registers)),
]
