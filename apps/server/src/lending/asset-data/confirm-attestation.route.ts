import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Attestation } from './attestation.service.ts'

export const confirmAttestationRoute = (attestation: Attestation) =>
  route(lendingOperations.confirmAttestation, ({ tenant, caller, mountedAt, params, body }) =>
    attestation.confirm({ tenant, instance: caller.instance, mountedAt, market: params.market }, body.txHash),
  )
