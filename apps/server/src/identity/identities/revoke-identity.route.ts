import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RevokeIdentity } from './revoke-identity.service.ts'

export const revokeIdentityRoute = (revoke: RevokeIdentity) =>
  route(identityOperations.revokeIdentity, ({ tenant, caller, body }) => {
    const call = { tenant, instance: caller.instance }
    const { txHash } = body
    return txHash === undefined ? revoke.build(call, body) : revoke.confirm(call, { ...body, txHash })
  })
