import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ListLiquidatableLoans } from './liquidatable-loans.service.ts'

export const listLiquidatableLoansRoute = (list: ListLiquidatableLoans) =>
  route(lendingOperations.listLiquidatableLoans, ({ tenant, mountedAt, params }) =>
    list({ tenant, mountedAt }, params.marketId),
  )
