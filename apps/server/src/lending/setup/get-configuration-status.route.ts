import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Setup } from './setup.service.ts'

export const getConfigurationStatusRoute = (setup: Setup) =>
  route(lendingOperations.getConfigurationStatus, ({ tenant, mountedAt, params }) =>
    setup.status({ tenant, mountedAt }, params.marketId),
  )
