import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { WithdrawInsurance } from './withdraw-insurance.service.ts'

export const withdrawInsuranceRoute = (withdraw: WithdrawInsurance) =>
  route(lendingOperations.withdrawInsurance, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? withdraw.build(call, params.marketId, body)
      : withdraw.confirm(call, params.marketId, { ...body, txHash })
  })
