import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OracleStatus } from './oracle-status.service.ts'

export const verifyPriceRoute = (oracle: OracleStatus) =>
  route(lendingOperations.verifyPrice, ({ tenant, mountedAt, params, body }) =>
    oracle.verifyPrice({ tenant, mountedAt }, params.marketId, body),
  )
