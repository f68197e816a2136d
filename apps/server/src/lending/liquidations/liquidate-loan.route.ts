import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LiquidateLoan } from './liquidate-loan.service.ts'

export const liquidateLoanRoute = (liquidate: LiquidateLoan) =>
  route(lendingOperations.liquidateLoan, ({ tenant, mountedAt, params, body }) =>
    liquidate({ tenant, mountedAt }, params.marketId, params.loanId, body),
  )
