import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { WithdrawForSale } from './withdraw-for-sale.service.ts'

export const withdrawCollateralForSaleRoute = (withdrawals: WithdrawForSale) =>
  route(lendingOperations.withdrawCollateralForSale, ({ tenant, mountedAt, params, query, body }) => {
    const call = { tenant, mountedAt, params, query, body }
    const { txHash } = body
    return txHash === undefined ? withdrawals.build(call, body) : withdrawals.confirm(call, { ...body, txHash })
  })
