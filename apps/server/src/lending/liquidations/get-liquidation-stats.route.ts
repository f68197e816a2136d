import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Liquidations } from './liquidations.service.ts'

export const getLiquidationStatsRoute = (liquidations: Liquidations) =>
  route(lendingOperations.getLiquidationStats, ({ tenant, mountedAt, params }) =>
    liquidations.stats({ tenant, mountedAt }, params.marketId),
  )
