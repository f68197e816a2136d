import { lendingOperations } from '@tallystick/wire'
import { administrativeRoute } from '../../platform/http/route.ts'
import type { Hooks } from './hooks.service.ts'

export const updateHookRoute = (hooks: Hooks) =>
  administrativeRoute(lendingOperations.updateHook, ({ tenant, mountedAt, params, body }) =>
    hooks.update({ tenant, mountedAt }, params.marketId, params.hookId, body),
  )
