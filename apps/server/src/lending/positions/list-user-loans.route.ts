import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LoansService } from './loans.service.ts'

export const listUserLoansRoute = (loans: LoansService) =>
  route(lendingOperations.listUserLoans, ({ tenant, mountedAt, params, query }) =>
    loans.ofWallet({ tenant, mountedAt }, params.marketId, params.userAddress, query),
  )
