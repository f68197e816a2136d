import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AuctionsService } from './auctions.service.ts'

export const getBookAuctionRoute = (service: AuctionsService) =>
  route(tradingOperations.getBookAuction, async ({ tenant, params }) => ({
    data: await service.get(tenant, params.orderBookId, params.auctionId),
  }))
