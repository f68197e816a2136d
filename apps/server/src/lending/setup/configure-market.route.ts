import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Configure } from './configure.service.ts'

export const configureMarketRoute = (configure: Configure) =>
  route(lendingOperations.configureMarket, ({ tenant, mountedAt, params, body }) =>
    configure({ tenant, mountedAt }, params.marketId, body),
  )
