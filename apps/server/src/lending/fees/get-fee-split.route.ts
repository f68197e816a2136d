import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { FeeSplitService } from './fee-split.service.ts'

export const getFeeSplitRoute = (split: FeeSplitService) =>
  route(lendingOperations.getFeeSplit, ({ tenant, mountedAt, params }) =>
    split.get({ tenant, mountedAt }, params.marketId),
  )
