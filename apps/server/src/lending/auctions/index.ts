import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { createAuctionModule } from './auction-module.service.ts'
import { bidOnAuction } from './bid-on-auction.write.ts'
import { deliverUnsold } from './deliver-unsold.write.ts'
import { getAuctionRoute } from './get-auction.route.ts'
import { getAuctionModuleRoute } from './get-auction-module.route.ts'
import { getLoanAuctionRoute } from './get-loan-auction.route.ts'
import { listAuctionsRoute } from './list-auctions.route.ts'
import { createReadAuctions } from './read-auctions.service.ts'
import { settleExpiredAuction } from './settle-expired-auction.write.ts'
import { wireAuctionModule } from './wire-auction-module.write.ts'

export { wiredParts } from './auction.reads.ts'
export type { KnownAuctions } from './auction.store.ts'
export { auctionsIn, conditionsIn, venueStateReads } from './auction-state.reads.ts'
export { knownAuctions, readVenueState } from './venue-state.service.ts'

export const auctionsRoutes = (parts: LendingParts): Route[] => {
  const auctions = createReadAuctions(parts)
  return [
    getAuctionModuleRoute(createAuctionModule(parts)),
    wireAuctionModule(parts),
    listAuctionsRoute(auctions),
    getAuctionRoute(auctions),
    getLoanAuctionRoute(auctions),
    bidOnAuction(parts),
    settleExpiredAuction(parts),
    deliverUnsold(parts),
  ]
}
