import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ReadRates } from './read-rates.service.ts'

export const getExitLiquidityRoute = (rates: ReadRates) =>
  route(lendingOperations.getExitLiquidity, ({ tenant, mountedAt, params }) =>
    rates.exitLiquidity({ tenant, mountedAt }, params.marketId),
  )
