import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Hooks } from './hooks.service.ts'

export const deleteHookRoute = (hooks: Hooks) =>
  route(lendingOperations.deleteHook, ({ tenant, mountedAt, params }) =>
    hooks.remove({ tenant, mountedAt }, params.marketId, params.hookId),
  )
