import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { GetIndexStatus } from './index-status.service.ts'

export const getIndexStatusRoute = (get: GetIndexStatus) =>
  route(lendingOperations.getIndexStatus, ({ tenant, mountedAt, params }) =>
    get({ tenant, mountedAt }, params.marketId),
  )
