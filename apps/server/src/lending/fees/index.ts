import type { Route } from '../../platform/http/mount.ts'
import type { LendingParts } from '../parts.ts'
import { createCashflows } from './cashflows.service.ts'
import { createFeeSplit } from './fee-split.service.ts'
import { getCashflowsRoute } from './get-cashflows.route.ts'
import { getFeeSplitRoute } from './get-fee-split.route.ts'
import { createSweepDistributor } from './sweep-distributor.service.ts'
import { sweepDistributorFeesRoute } from './sweep-distributor-fees.route.ts'
import { sweepInfrastructureFeesRoute } from './sweep-infrastructure-fees.route.ts'
import { sweepOperatorFeesRoute } from './sweep-operator-fees.route.ts'
import { sweepProtocolFeesRoute } from './sweep-protocol-fees.route.ts'
import { createSweeps } from './sweeps.service.ts'

export const feesRoutes = (parts: LendingParts): Route[] => {
  const sweeps = createSweeps(parts)
  return [
    getFeeSplitRoute(createFeeSplit(parts)),
    getCashflowsRoute(createCashflows(parts)),
    sweepInfrastructureFeesRoute(sweeps),
    sweepOperatorFeesRoute(sweeps),
    sweepProtocolFeesRoute(sweeps),
    sweepDistributorFeesRoute(createSweepDistributor(parts)),
  ]
}
