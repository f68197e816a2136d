import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LiquidationConfig } from './liquidation-config.service.ts'

export const getRouterStatsRoute = (config: LiquidationConfig) =>
  route(lendingOperations.getRouterStats, ({ tenant, mountedAt, query }) =>
    config.routerStats({ tenant, mountedAt }, query.marketId),
  )
