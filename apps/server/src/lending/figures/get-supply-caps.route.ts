import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LiveFigures } from './live-figures.service.ts'

export const getSupplyCapsRoute = (figures: LiveFigures) =>
  route(lendingOperations.getSupplyCaps, ({ tenant, mountedAt, params }) =>
    figures.supplyCaps({ tenant, mountedAt }, params.marketId),
  )
