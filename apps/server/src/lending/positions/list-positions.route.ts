import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { PositionsService } from './positions.service.ts'

export const listPositionsRoute = (positions: PositionsService) =>
  route(lendingOperations.listPositions, ({ tenant, mountedAt, params, query }) =>
    positions.list({ tenant, mountedAt }, params.marketId, query),
  )
