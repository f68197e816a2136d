import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OracleStatus } from './oracle-status.service.ts'

export const getVerifySignerRoute = (oracle: OracleStatus) =>
  route(lendingOperations.getVerifySigner, ({ tenant, mountedAt, params }) =>
    oracle.verifySigner({ tenant, mountedAt }, params.marketId),
  )
