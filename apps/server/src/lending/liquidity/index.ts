import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { addLiquidity } from './add-liquidity.write.ts'
import { getProviderBalanceRoute } from './get-provider-balance.route.ts'
import { listProvidersRoute } from './list-providers.route.ts'
import { createProviders } from './providers.service.ts'
import { removeLiquidity } from './remove-liquidity.write.ts'

export const liquidityRoutes = (parts: LendingParts): Route[] => {
  const providers = createProviders(parts)
  return [
    addLiquidity(parts),
    removeLiquidity(parts),
    listProvidersRoute(providers),
    getProviderBalanceRoute(providers),
  ]
}
