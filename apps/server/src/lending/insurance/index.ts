import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { getInsuranceStatusRoute } from './get-insurance-status.route.ts'
import { createInsuranceStatus } from './insurance-status.service.ts'
import { recordTopUpRoute } from './record-top-up.route.ts'
import { createTopUp } from './top-up.service.ts'
import { topUpInsuranceRoute } from './top-up-insurance.route.ts'
import { withdrawInsurance } from './withdraw-insurance.write.ts'

export const insuranceRoutes = (parts: LendingParts): Route[] => {
  const topUp = createTopUp(parts)
  return [
    getInsuranceStatusRoute(createInsuranceStatus(parts)),
    topUpInsuranceRoute(topUp),
    recordTopUpRoute(topUp),
    withdrawInsurance(parts),
  ]
}
