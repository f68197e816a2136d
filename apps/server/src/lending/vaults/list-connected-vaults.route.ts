import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { VaultLiquidityService } from './vault-liquidity.service.ts'

export const listConnectedVaultsRoute = (liquidity: VaultLiquidityService) =>
  route(lendingOperations.listConnectedVaults, ({ tenant, mountedAt, params }) =>
    liquidity.listConnected({ tenant, mountedAt }, params.marketId),
  )
