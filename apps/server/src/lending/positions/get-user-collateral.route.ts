import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LoansService } from './loans.service.ts'

export const getUserCollateralRoute = (loans: LoansService) =>
  route(lendingOperations.getUserCollateral, ({ tenant, mountedAt, params }) =>
    loans.collateralOf({ tenant, mountedAt }, params.marketId, params.userAddress),
  )
