import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RemoveLiquidity } from './remove-liquidity.service.ts'

export const removeLiquidityRoute = (liquidity: RemoveLiquidity) =>
  route(lendingOperations.removeLiquidity, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? liquidity.build(call, params.marketId, body)
      : liquidity.confirm(call, params.marketId, { ...body, txHash })
  })
