import type { Route } from '../../platform/http/route.ts'
import type { IdentityParts } from '../parts.ts'
import type { FindRegister } from '../register/index.ts'
import { createGetExposure } from './exposure.service.ts'
import { getExposureRoute } from './get-exposure.route.ts'
import { createListInvestors } from './investors.service.ts'
import { listInvestorsRoute } from './list-investors.route.ts'

export { listInvestors } from './investors.store.ts'

export const investorRoutes = (parts: IdentityParts, registers: FindRegister): Route[] => [
  listInvestorsRoute(createListInvestors(parts, registers)),
  getExposureRoute(createGetExposure(parts)),
]
