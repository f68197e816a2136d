import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { VaultLiquidityService } from './vault-liquidity.service.ts'

export const getVaultLiquidityRoute = (liquidity: VaultLiquidityService) =>
  route(lendingOperations.getVaultLiquidity, ({ tenant, mountedAt, params }) =>
    liquidity.get({ tenant, mountedAt }, params.marketId),
  )
