import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Providers } from './providers.service.ts'

export const listProvidersRoute = (providers: Providers) =>
  route(lendingOperations.listProviders, ({ tenant, mountedAt, params, query }) =>
    providers.list({ tenant, mountedAt }, params.marketId, query),
  )
