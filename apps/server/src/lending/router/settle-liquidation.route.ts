import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Settle } from './settle.service.ts'

export const settleLiquidationRoute = (settlements: Settle) =>
  route(lendingOperations.settleLiquidation, ({ tenant, mountedAt, params, query, body }) => {
    const call = { tenant, mountedAt, params, query, body }
    const { txHash } = body
    return txHash === undefined ? settlements.build(call, body) : settlements.confirm(call, txHash)
  })
