import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Hooks } from './hooks.service.ts'

export const updateHookRoute = (hooks: Hooks) =>
  route(lendingOperations.updateHook, ({ tenant, mountedAt, params, body }) =>
    hooks.update({ tenant, mountedAt }, params.marketId, params.hookId, body),
  )
