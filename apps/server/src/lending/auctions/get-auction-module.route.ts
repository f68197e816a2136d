import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { GetAuctionModule } from './auction-module.service.ts'

export const getAuctionModuleRoute = (get: GetAuctionModule) =>
  route(lendingOperations.getAuctionModule, ({ tenant, mountedAt, params }) =>
    get({ tenant, mountedAt }, params.marketId),
  )
