import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Attest } from './attest.service.ts'
import type { ConfirmAttestation } from './confirm-attestation.service.ts'

export const attestProofsRoute = (attest: Attest, confirmAttestation: ConfirmAttestation) =>
  route(identityOperations.attestProofs, ({ tenant, caller, body }) => {
    const call = { tenant, instance: caller.instance }
    const { txResults } = body
    return txResults === undefined ? attest(call, body) : confirmAttestation(call, { ...body, txResults })
  })
