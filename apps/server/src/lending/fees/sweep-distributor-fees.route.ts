import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { SweepDistributor } from './sweep-distributor.service.ts'

export const sweepDistributorFeesRoute = (sweep: SweepDistributor) =>
  route(lendingOperations.sweepDistributorFees, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { provider, txHash } = body
    return txHash === undefined
      ? sweep.build(call, params.marketId, provider)
      : sweep.confirm(call, params.marketId, provider, txHash)
  })
