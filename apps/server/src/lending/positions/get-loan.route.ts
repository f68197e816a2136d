import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LoansService } from './loans.service.ts'

export const getLoanRoute = (loans: LoansService) =>
  route(lendingOperations.getLoan, ({ tenant, mountedAt, params }) =>
    loans.get({ tenant, mountedAt }, params.marketId, params.loanId),
  )
