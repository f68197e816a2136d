import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SettleExpiredAuction } from './settle-expired-auction.service.ts'

export const settleExpiredAuctionRoute = (settle: SettleExpiredAuction) =>
  route(lendingOperations.settleExpiredAuction, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? settle.build(call, params.marketId, body)
      : settle.confirm(call, params.marketId, { ...body, txHash })
  })
