import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { getLiquidationConfigRoute } from './get-liquidation-config.route.ts'
import { getLiquidationStatsRoute } from './get-liquidation-stats.route.ts'
import { getRouterStatsRoute } from './get-router-stats.route.ts'
import { createLiquidatableLoans } from './liquidatable-loans.service.ts'
import { liquidateLoan } from './liquidate-loan.write.ts'
import { createLiquidationConfig } from './liquidation-config.service.ts'
import { createLiquidations } from './liquidations.service.ts'
import { listLiquidatableLoansRoute } from './list-liquidatable-loans.route.ts'
import { listPendingLiquidationsRoute } from './list-pending-liquidations.route.ts'
import { listSettledLiquidationsRoute } from './list-settled-liquidations.route.ts'

export const liquidationsRoutes = (parts: LendingParts): Route[] => {
  const liquidations = createLiquidations(parts)
  const config = createLiquidationConfig(parts)
  return [
    liquidateLoan(parts),
    listLiquidatableLoansRoute(createLiquidatableLoans(parts)),
    listPendingLiquidationsRoute(liquidations),
    listSettledLiquidationsRoute(liquidations),
    getLiquidationConfigRoute(config),
    getLiquidationStatsRoute(liquidations),
    getRouterStatsRoute(config),
  ]
}
