import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { WithdrawCollateral } from './withdraw-collateral.service.ts'

export const withdrawCollateralRoute = (withdrawCollateral: WithdrawCollateral) =>
  route(lendingOperations.withdrawCollateral, ({ tenant, mountedAt, params: { marketId }, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? withdrawCollateral.build(call, marketId, body)
      : withdrawCollateral.confirm(call, marketId, { ...body, txHash })
  })
