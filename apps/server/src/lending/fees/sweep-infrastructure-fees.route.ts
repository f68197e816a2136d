import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Sweeps } from './sweeps.service.ts'

export const sweepInfrastructureFeesRoute = ({ infrastructure }: Sweeps) =>
  route(lendingOperations.sweepInfrastructureFees, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? infrastructure.build(call, params.marketId)
      : infrastructure.confirm(call, params.marketId, txHash)
  })
