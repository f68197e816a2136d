import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SellPending } from './sell-pending.service.ts'

export const sellPendingRoute = (sales: SellPending) =>
  route(lendingOperations.sellPending, ({ tenant, mountedAt, params, query, body }) => {
    const call = { tenant, mountedAt, params, query, body }
    const { txHash } = body
    return txHash === undefined ? sales.build(call, body) : sales.confirm(call, txHash)
  })
