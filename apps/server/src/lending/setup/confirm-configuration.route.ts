import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ConfirmConfiguration } from './confirm-configuration.service.ts'

export const confirmConfigurationRoute = (confirm: ConfirmConfiguration) =>
  route(lendingOperations.confirmConfiguration, ({ tenant, mountedAt, params, body }) =>
    confirm({ tenant, mountedAt }, params.marketId, body),
  )
