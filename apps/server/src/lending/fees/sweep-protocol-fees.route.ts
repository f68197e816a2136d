import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Sweeps } from './sweeps.service.ts'

export const sweepProtocolFeesRoute = ({ protocol }: Sweeps) =>
  route(lendingOperations.sweepProtocolFees, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? protocol.build(call, params.marketId)
      : protocol.confirm(call, params.marketId, txHash)
  })
