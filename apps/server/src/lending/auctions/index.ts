import type { Route } from '../../platform/http/mount.ts'
import type { LendingParts } from '../parts.ts'
import { createAuctionModule } from './auction-module.service.ts'
import { getAuctionModuleRoute } from './get-auction-module.route.ts'
import { createWireAuction } from './wire-auction.service.ts'
import { wireAuctionModuleRoute } from './wire-auction-module.route.ts'

export const auctionsRoutes = (parts: LendingParts): Route[] => [
  getAuctionModuleRoute(createAuctionModule(parts)),
  wireAuctionModuleRoute(createWireAuction(parts)),
]
