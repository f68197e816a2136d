import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OracleHistory } from './oracle-history.service.ts'

export const getOracleHistoryRoute = (history: OracleHistory) =>
  route(lendingOperations.getOracleHistory, ({ tenant, mountedAt, params, query }) =>
    history.list({ tenant, mountedAt }, params.marketId, query),
  )
