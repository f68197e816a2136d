import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadMarkets } from './read-markets.service.ts'

export const getMarketRoute = (markets: ReadMarkets) =>
  route(lendingOperations.getMarket, ({ tenant, mountedAt, params }) =>
    markets.get({ tenant, mountedAt }, params.marketId),
  )
