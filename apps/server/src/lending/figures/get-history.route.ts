import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { GetHistory } from './history.service.ts'

export const getHistoryRoute = (get: GetHistory) =>
  route(lendingOperations.getHistory, ({ tenant, mountedAt, params, query }) =>
    get({ tenant, mountedAt }, params.marketId, query),
  )
