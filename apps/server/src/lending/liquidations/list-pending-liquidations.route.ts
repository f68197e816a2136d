import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Liquidations } from './liquidations.service.ts'

export const listPendingLiquidationsRoute = (liquidations: Liquidations) =>
  route(lendingOperations.listPendingLiquidations, ({ tenant, mountedAt, params }) =>
    liquidations.pending({ tenant, mountedAt }, params.marketId),
  )
