import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Surplus } from './surplus.service.ts'

export const claimSurplusRoute = (surplus: Surplus) =>
  route(lendingOperations.claimSurplus, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    return body.txHash === undefined
      ? surplus.build(call, params.marketId, body)
      : surplus.confirm(call, params.marketId, body.txHash)
  })
