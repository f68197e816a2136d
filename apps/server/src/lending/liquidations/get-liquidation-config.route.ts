import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LiquidationConfig } from './liquidation-config.service.ts'

export const getLiquidationConfigRoute = (config: LiquidationConfig) =>
  route(lendingOperations.getLiquidationConfig, ({ tenant, mountedAt, params, query }) =>
    config.get({ tenant, mountedAt }, params.marketId, query),
  )
