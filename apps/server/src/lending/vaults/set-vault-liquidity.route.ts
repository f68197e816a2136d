import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SwitchLiquidity } from './switch-liquidity.service.ts'

export const setVaultLiquidityRoute = (liquidity: SwitchLiquidity) =>
  route(lendingOperations.setVaultLiquidity, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { enabled, txHash } = body
    return txHash === undefined
      ? liquidity.build(call, params.marketId, enabled)
      : liquidity.confirm(call, params.marketId, enabled, txHash)
  })
