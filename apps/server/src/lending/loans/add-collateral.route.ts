import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { AddCollateral } from './add-collateral.service.ts'

export const addCollateralRoute = (addCollateral: AddCollateral) =>
  route(lendingOperations.addCollateral, ({ tenant, mountedAt, params: { marketId }, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? addCollateral.build(call, marketId, body)
      : addCollateral.confirm(call, marketId, { ...body, txHash })
  })
