import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AuctionsService } from './auctions.service.ts'

export const getCurrentBookAuctionRoute = (service: AuctionsService) =>
  route(tradingOperations.getCurrentBookAuction, async ({ tenant, params }) => ({
    data: await service.current(tenant, params.orderBookId),
  }))
