import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { CashflowsService } from './cashflows.service.ts'

export const getCashflowsRoute = (cashflows: CashflowsService) =>
  route(lendingOperations.getCashflows, ({ tenant, mountedAt, params, query }) =>
    cashflows.get({ tenant, mountedAt }, params.marketId, query.loanId),
  )
