import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Repay } from './repay.service.ts'

export const repayLoanRoute = (repay: Repay) =>
  route(lendingOperations.repayLoan, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? repay.build(call, params.marketId, body)
      : repay.confirm(call, params.marketId, { ...body, txHash })
  })
