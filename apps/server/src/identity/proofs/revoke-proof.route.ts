import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RevokeProof } from './revoke-proof.service.ts'

export const revokeProofRoute = (revoke: RevokeProof) =>
  route(identityOperations.revokeProof, ({ tenant, caller, body }) => {
    const call = { tenant, instance: caller.instance }
    const { txHash } = body
    return txHash === undefined ? revoke.build(call, body) : revoke.confirm(call, { ...body, txHash })
  })
