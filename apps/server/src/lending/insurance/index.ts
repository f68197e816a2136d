import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { getInsuranceStatusRoute } from './get-insurance-status.route.ts'
import { createInsuranceStatus } from './insurance-status.service.ts'
import { recordTopUp } from './record-top-up.write.ts'
import { topUpInsurance } from './top-up-insurance.write.ts'
import { withdrawInsurance } from './withdraw-insurance.write.ts'

export const insuranceRoutes = (parts: LendingParts): Route[] => [
  getInsuranceStatusRoute(createInsuranceStatus(parts)),
  ...[topUpInsurance, recordTopUp, withdrawInsurance].map((write) => write(parts)),
]
