import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { ListLiquidatableLoans } from './liquidatable-loans.service.ts'

export const listLiquidatableLoansRoute = (list: ListLiquidatableLoans) =>
  route(lendingOperations.listLiquidatableLoans, ({ tenant, mountedAt, params }) =>
    list({ tenant, mountedAt }, params.marketId),
  )
