import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Hooks } from './hooks.service.ts'

export const getHookRoute = (hooks: Hooks) =>
  route(lendingOperations.getHook, ({ tenant, mountedAt, params }) =>
    hooks.get({ tenant, mountedAt }, params.marketId, params.hookId),
  )
