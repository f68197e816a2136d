import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RevokeClaim } from './revoke-claim.service.ts'

export const revokeClaimRoute = (revoke: RevokeClaim) =>
  route(identityOperations.revokeClaim, ({ tenant, caller, body }) => {
    const call = { tenant, instance: caller.instance }
    const { txHash } = body
    return txHash === undefined ? revoke.build(call, body) : revoke.confirm(call, { ...body, txHash })
  })
