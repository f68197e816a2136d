import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SaleBid } from './sale-bid.service.ts'

export const setSaleBidRoute = (bids: SaleBid) =>
  route(lendingOperations.setSaleBid, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined ? bids.build(call, params.marketId, body) : bids.confirm(call, params.marketId, txHash)
  })
