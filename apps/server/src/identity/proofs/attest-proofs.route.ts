import { identityOperations } from '@tallystick/wire'
import { legsRoute } from '../../platform/http/legs.ts'
import type { Attest } from './attest.service.ts'
import type { ConfirmAttestation } from './confirm-attestation.service.ts'

/** Each proof is a transaction of its own, and what became of one does not decide about the others: several writes, not one. */
export const attestProofsRoute = (attest: Attest, confirmAttestation: ConfirmAttestation) =>
  legsRoute(identityOperations.attestProofs, {
    build: ({ tenant, caller, body }) => attest({ tenant, instance: caller.instance }, body),
    confirm: ({ tenant, caller, body }) => confirmAttestation({ tenant, instance: caller.instance }, body),
  })
