import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { VaultLiquidityService } from './vault-liquidity.service.ts'

export const getVaultLiquidityRoute = (liquidity: VaultLiquidityService) =>
  route(lendingOperations.getVaultLiquidity, ({ tenant, mountedAt, params }) =>
    liquidity.get({ tenant, mountedAt }, params.marketId),
  )
