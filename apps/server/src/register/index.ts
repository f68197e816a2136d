import type { Route } from '../platform/http/route.ts'
import { getIssuerRoute } from './get-issuer.route.ts'
import { getRegisterHealthRoute } from './get-register-health.route.ts'
import { getStatisticsRoute } from './get-statistics.route.ts'
import { listCountriesRoute } from './list-countries.route.ts'
import { listIssuersRoute } from './list-issuers.route.ts'
import { listLicenseTypesRoute } from './list-license-types.route.ts'
import { listRegisterChangesRoute } from './list-register-changes.route.ts'
import type { RegisterService } from './register.service.ts'
import { searchIssuersRoute } from './search-issuers.route.ts'

export { createRegisterImport } from './import.service.ts'
export { startRefreshJob } from './refresh.job.ts'
export { createRegisterRefresh } from './refresh.service.ts'
export { createRegisterService } from './register.service.ts'

export const registerRoutes = (register: RegisterService): Route[] => [
  searchIssuersRoute(register),
  listIssuersRoute(register),
  getIssuerRoute(register),
  getStatisticsRoute(register),
  listLicenseTypesRoute(register),
  listCountriesRoute(register),
  getRegisterHealthRoute(register),
  listRegisterChangesRoute(register),
]
