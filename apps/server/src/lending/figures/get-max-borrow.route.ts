import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LiveFigures } from './live-figures.service.ts'

export const getMaxBorrowRoute = (figures: LiveFigures) =>
  route(lendingOperations.getMaxBorrow, ({ tenant, mountedAt, params, query }) =>
    figures.maxBorrow({ tenant, mountedAt }, params.marketId, query.collateralAmount),
  )
