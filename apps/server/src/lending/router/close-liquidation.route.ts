import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RouterRecord } from './router-record.service.ts'

export const closeLiquidationRoute = (records: RouterRecord) =>
  route(lendingOperations.closeLiquidation, ({ tenant, mountedAt, params, query, body }) => {
    const call = { tenant, mountedAt, params, query, body }
    const { txHash } = body
    return txHash === undefined ? records.buildClose(call) : records.confirmClose(call, txHash)
  })
