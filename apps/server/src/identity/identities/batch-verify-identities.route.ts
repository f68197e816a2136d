import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { BatchVerify } from './batch-verify.service.ts'

export const batchVerifyIdentitiesRoute = (batch: BatchVerify) =>
  route(identityOperations.batchVerifyIdentities, ({ tenant, caller, body }) => {
    const call = { tenant, instance: caller.instance }
    const { txHash } = body
    return txHash === undefined ? batch.build(call, body) : batch.confirm(call, { ...body, txHash })
  })
