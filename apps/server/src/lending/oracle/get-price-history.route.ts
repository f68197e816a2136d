import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { OracleHistory } from './oracle-history.service.ts'

export const getPriceHistoryRoute = (history: OracleHistory) =>
  route(lendingOperations.getPriceHistory, ({ tenant, mountedAt, params }) =>
    history.prices({ tenant, mountedAt }, params.marketId),
  )
