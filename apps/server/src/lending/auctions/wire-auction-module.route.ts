import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { WireAuction } from './wire-auction.service.ts'

export const wireAuctionModuleRoute = (wire: WireAuction) =>
  route(lendingOperations.wireAuctionModule, ({ tenant, mountedAt, params, body }) =>
    wire({ tenant, mountedAt }, params.marketId, body),
  )
