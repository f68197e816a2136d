import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Liens } from './liens.service.ts'

export const listLiensRoute = (liens: Liens) =>
  route(lendingOperations.listLiens, ({ tenant, mountedAt, params, query }) =>
    liens.list({ tenant, mountedAt }, params.marketId, query),
  )
