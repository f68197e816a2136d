import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { createCashflows } from './cashflows.service.ts'
import { createFeeSplit } from './fee-split.service.ts'
import { getCashflowsRoute } from './get-cashflows.route.ts'
import { getFeeSplitRoute } from './get-fee-split.route.ts'
import { sweepDistributorFees } from './sweep-distributor-fees.write.ts'
import { sweepInfrastructureFees } from './sweep-infrastructure-fees.write.ts'
import { sweepOperatorFees } from './sweep-operator-fees.write.ts'
import { sweepProtocolFees } from './sweep-protocol-fees.write.ts'

export { readAt } from './past.reads.ts'

const writes = [sweepInfrastructureFees, sweepOperatorFees, sweepProtocolFees, sweepDistributorFees]

export const feesRoutes = (parts: LendingParts): Route[] => [
  getFeeSplitRoute(createFeeSplit(parts)),
  getCashflowsRoute(createCashflows(parts)),
  ...writes.map((write) => write(parts)),
]
