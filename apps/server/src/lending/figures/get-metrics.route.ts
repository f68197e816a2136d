import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LiveFigures } from './live-figures.service.ts'

export const getMetricsRoute = (figures: LiveFigures) =>
  route(lendingOperations.getMetrics, ({ tenant, mountedAt, params }) =>
    figures.metrics({ tenant, mountedAt }, params.marketId),
  )
