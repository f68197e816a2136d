import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Providers } from './providers.service.ts'

export const getProviderBalanceRoute = (providers: Providers) =>
  route(lendingOperations.getProviderBalance, ({ tenant, mountedAt, params }) =>
    providers.balance({ tenant, mountedAt }, params.marketId, params.provider),
  )
