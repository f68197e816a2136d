import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OpenLoansService } from './open-loans.service.ts'

export const listOpenLoansRoute = (openLoans: OpenLoansService) =>
  route(lendingOperations.listOpenLoans, ({ tenant, caller, mountedAt, query }) =>
    openLoans.list({ tenant, mountedAt }, caller.instance.chainId, query),
  )
