import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OracleStatus } from './oracle-status.service.ts'

export const getOracleStatusRoute = (oracle: OracleStatus) =>
  route(lendingOperations.getOracleStatus, ({ tenant, mountedAt, params }) =>
    oracle.get({ tenant, mountedAt }, params.marketId),
  )
