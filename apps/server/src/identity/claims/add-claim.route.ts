import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AddClaim } from './add-claim.service.ts'

export const addClaimRoute = (add: AddClaim) =>
  route(identityOperations.addClaim, ({ tenant, caller, body }) => {
    const call = { tenant, instance: caller.instance }
    const { txHash } = body
    return txHash === undefined ? add.build(call, body) : add.confirm(call, { ...body, txHash })
  })
