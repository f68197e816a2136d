import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { EscrowedCollateral } from './escrowed-collateral.service.ts'

export const claimEscrowedCollateralRoute = (escrow: EscrowedCollateral) =>
  route(lendingOperations.claimEscrowedCollateral, ({ tenant, mountedAt, params, body }) =>
    escrow.claim({ tenant, mountedAt }, params.marketId, body),
  )
