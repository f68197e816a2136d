import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Config } from './config.service.ts'

export const setConfigRoute = (config: Config) =>
  route(lendingOperations.setConfig, ({ tenant, mountedAt, params, body }) =>
    config.set({ tenant, mountedAt }, params.marketId, body),
  )
