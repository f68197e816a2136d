import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { BidOnAuction } from './bid-on-auction.service.ts'

export const bidOnAuctionRoute = (bid: BidOnAuction) =>
  route(lendingOperations.bidOnAuction, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? bid.build(call, params.marketId, body)
      : bid.confirm(call, params.marketId, { ...body, txHash })
  })
