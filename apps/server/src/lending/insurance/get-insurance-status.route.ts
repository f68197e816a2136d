import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { InsuranceStatus } from './insurance-status.service.ts'

export const getInsuranceStatusRoute = (status: InsuranceStatus) =>
  route(lendingOperations.getInsuranceStatus, ({ tenant, mountedAt, params }) =>
    status.get({ tenant, mountedAt }, params.marketId),
  )
