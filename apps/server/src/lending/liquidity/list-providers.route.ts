import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Providers } from './providers.service.ts'

export const listProvidersRoute = (providers: Providers) =>
  route(lendingOperations.listProviders, ({ tenant, mountedAt, params, query }) =>
    providers.list({ tenant, mountedAt }, params.marketId, query),
  )
