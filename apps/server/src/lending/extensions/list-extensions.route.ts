import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ListExtensions } from './list-extensions.service.ts'

export const listExtensionsRoute = (list: ListExtensions) =>
  route(lendingOperations.listExtensions, ({ tenant, mountedAt, params, query }) =>
    list({ tenant, mountedAt }, params.marketId, query),
  )
