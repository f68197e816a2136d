import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Verify } from './verify.service.ts'

export const verifyIdentityRoute = (verify: Verify) =>
  route(identityOperations.verifyIdentity, ({ tenant, caller, body }) => {
    const call = { tenant, instance: caller.instance }
    const { txHash } = body
    return txHash === undefined ? verify.build(call, body) : verify.confirm(call, { ...body, txHash })
  })
