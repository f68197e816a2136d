import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { claimEscrowOfLostWallet } from './claim-escrow-of-lost-wallet.write.ts'
import { claimEscrowedCollateralRoute } from './claim-escrowed-collateral.route.ts'
import { claimSurplus } from './claim-surplus.write.ts'
import { claimSurplusOfLostWallet } from './claim-surplus-of-lost-wallet.write.ts'
import { createEscrowedCollateral } from './escrowed-collateral.service.ts'
import { getEscrowedCollateralRoute } from './get-escrowed-collateral.route.ts'
import { getEscrowedSurplusRoute } from './get-escrowed-surplus.route.ts'
import { releaseRecovered } from './release-recovered.write.ts'
import { createSurplus } from './surplus.service.ts'

export const escrowRoutes = (parts: LendingParts): Route[] => {
  const escrow = createEscrowedCollateral(parts)
  const surplus = createSurplus(parts)
  return [
    getEscrowedCollateralRoute(escrow),
    claimEscrowedCollateralRoute(escrow),
    getEscrowedSurplusRoute(surplus),
    claimSurplus(parts),
    claimSurplusOfLostWallet(parts),
    claimEscrowOfLostWallet(parts),
    releaseRecovered(parts),
  ]
}
