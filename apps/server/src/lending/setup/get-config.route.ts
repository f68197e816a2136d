import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Config } from './config.service.ts'

export const getConfigRoute = (config: Config) =>
  route(lendingOperations.getConfig, ({ tenant, mountedAt, params }) =>
    config.get({ tenant, mountedAt }, params.marketId),
  )
