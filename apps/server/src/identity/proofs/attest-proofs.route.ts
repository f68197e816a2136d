import { identityOperations } from '@tallystick/wire'
import { legsRoute } from '../../platform/http/legs.ts'
import type { Attest } from './attest.service.ts'
import type { ConfirmAttestation } from './confirm-attestation.service.ts'

/**
 * No write of the kit, which proves one hash and fails with it: here each proof is a transaction of its own, a confirmation brings several
 * hashes (`txResults`), and what became of one is said in the answer and does not decide about the others.
 */
export const attestProofsRoute = (attest: Attest, confirmAttestation: ConfirmAttestation) =>
  legsRoute(identityOperations.attestProofs, {
    build: ({ tenant, caller, body }) => attest({ tenant, instance: caller.instance }, body),
    confirm: ({ tenant, caller, body }) => confirmAttestation({ tenant, instance: caller.instance }, body),
  })
