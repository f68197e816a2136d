import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AddLiquidity } from './add-liquidity.service.ts'

export const addLiquidityRoute = (liquidity: AddLiquidity) =>
  route(lendingOperations.addLiquidity, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? liquidity.build(call, params.marketId, body)
      : liquidity.confirm(call, params.marketId, { ...body, txHash })
  })
