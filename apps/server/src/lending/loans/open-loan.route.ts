import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { OpenLoan } from './open-loan.service.ts'

export const openLoanRoute = (openLoan: OpenLoan) =>
  route(lendingOperations.openLoan, ({ tenant, mountedAt, params: { marketId }, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? openLoan.build(call, marketId, body)
      : openLoan.confirm(call, marketId, { ...body, txHash })
  })
