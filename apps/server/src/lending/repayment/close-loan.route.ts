import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { CloseLoan } from './close-loan.service.ts'

export const closeLoanRoute = (close: CloseLoan) =>
  route(lendingOperations.closeLoan, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? close.build(call, params.marketId, body)
      : close.confirm(call, params.marketId, { ...body, txHash })
  })
