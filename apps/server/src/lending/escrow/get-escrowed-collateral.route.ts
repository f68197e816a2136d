import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { EscrowedCollateral } from './escrowed-collateral.service.ts'

export const getEscrowedCollateralRoute = (escrow: EscrowedCollateral) =>
  route(lendingOperations.getEscrowedCollateral, ({ tenant, mountedAt, params }) =>
    escrow.get({ tenant, mountedAt }, params.marketId, params.holder),
  )
