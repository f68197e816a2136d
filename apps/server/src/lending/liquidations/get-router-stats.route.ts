import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { LiquidationConfig } from './liquidation-config.service.ts'

export const getRouterStatsRoute = (config: LiquidationConfig) =>
  route(lendingOperations.getRouterStats, ({ tenant, mountedAt, query }) =>
    config.routerStats({ tenant, mountedAt }, query.marketId),
  )
