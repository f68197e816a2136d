import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { claimEscrowedCollateralRoute } from './claim-escrowed-collateral.route.ts'
import { claimSurplus } from './claim-surplus.write.ts'
import { createEscrowedCollateral } from './escrowed-collateral.service.ts'
import { getEscrowedCollateralRoute } from './get-escrowed-collateral.route.ts'
import { getEscrowedSurplusRoute } from './get-escrowed-surplus.route.ts'
import { createSurplus } from './surplus.service.ts'

export const escrowRoutes = (parts: LendingParts): Route[] => {
  const escrow = createEscrowedCollateral(parts)
  const surplus = createSurplus(parts)
  return [
    getEscrowedCollateralRoute(escrow),
    claimEscrowedCollateralRoute(escrow),
    getEscrowedSurplusRoute(surplus),
    claimSurplus(parts),
  ]
}
