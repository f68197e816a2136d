import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadAuctions } from './read-auctions.service.ts'

export const getAuctionRoute = (auctions: ReadAuctions) =>
  route(lendingOperations.getAuction, ({ tenant, mountedAt, params }) =>
    auctions.get({ tenant, mountedAt }, params.marketId, params.auctionId),
  )
