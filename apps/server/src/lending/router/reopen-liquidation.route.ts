import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RouterRecord } from './router-record.service.ts'

export const reopenLiquidationRoute = (records: RouterRecord) =>
  route(lendingOperations.reopenLiquidation, ({ tenant, mountedAt, params, query, body }) => {
    const call = { tenant, mountedAt, params, query, body }
    const { txHash } = body
    return txHash === undefined ? records.buildReopen(call) : records.confirmReopen(call, txHash)
  })
