import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { PositionsService } from './positions.service.ts'

export const getPositionRoute = (positions: PositionsService) =>
  route(lendingOperations.getPosition, ({ tenant, mountedAt, params }) =>
    positions.get({ tenant, mountedAt }, params.marketId, params.positionId),
  )
