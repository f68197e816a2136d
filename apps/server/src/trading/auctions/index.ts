import type { Route } from '../../platform/http/route.ts'
import type { AuctionsService } from './auctions.service.ts'
import { getBookAuctionRoute } from './get-book-auction.route.ts'
import { getCurrentBookAuctionRoute } from './get-current-book-auction.route.ts'

export { startAuctionJob } from './auction.job.ts'
export { createAuctionSchedule } from './auction-schedule.service.ts'
export { createAuctionsService } from './auctions.service.ts'
export { createCollectedOrders } from './collected-orders.service.ts'

export const auctionRoutes = (auctions: AuctionsService): Route[] => [
  getCurrentBookAuctionRoute(auctions),
  getBookAuctionRoute(auctions),
]
