import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Sweeps } from './sweeps.service.ts'

export const sweepOperatorFeesRoute = ({ operator }: Sweeps) =>
  route(lendingOperations.sweepOperatorFees, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? operator.build(call, params.marketId)
      : operator.confirm(call, params.marketId, txHash)
  })
