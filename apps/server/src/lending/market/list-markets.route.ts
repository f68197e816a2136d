import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadMarkets } from './read-markets.service.ts'

export const listMarketsRoute = (markets: ReadMarkets) =>
  route(lendingOperations.listMarkets, ({ tenant, mountedAt, caller, query }) =>
    markets.list({ tenant, mountedAt }, caller.instance, query.includeOnChain === 'true'),
  )
