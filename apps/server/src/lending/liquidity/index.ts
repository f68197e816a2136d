import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { addLiquidityRoute } from './add-liquidity.route.ts'
import { createAddLiquidity } from './add-liquidity.service.ts'
import { getProviderBalanceRoute } from './get-provider-balance.route.ts'
import { listProvidersRoute } from './list-providers.route.ts'
import { createProviders } from './providers.service.ts'
import { removeLiquidityRoute } from './remove-liquidity.route.ts'
import { createRemoveLiquidity } from './remove-liquidity.service.ts'

export const liquidityRoutes = (parts: LendingParts): Route[] => {
  const providers = createProviders(parts)
  return [
    addLiquidityRoute(createAddLiquidity(parts)),
    removeLiquidityRoute(createRemoveLiquidity(parts)),
    listProvidersRoute(providers),
    getProviderBalanceRoute(providers),
  ]
}
