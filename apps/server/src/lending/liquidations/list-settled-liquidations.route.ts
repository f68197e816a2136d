import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Liquidations } from './liquidations.service.ts'

export const listSettledLiquidationsRoute = (liquidations: Liquidations) =>
  route(lendingOperations.listSettledLiquidations, ({ tenant, mountedAt, params, query }) =>
    liquidations.settled({ tenant, mountedAt }, params.marketId, query),
  )
