import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SyncOracle } from './sync-oracle.service.ts'

export const syncOracleRoute = (sync: SyncOracle) =>
  route(lendingOperations.syncOracle, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? sync.build(call, params.marketId, body)
      : sync.confirm(call, params.marketId, { ...body, txHash })
  })
