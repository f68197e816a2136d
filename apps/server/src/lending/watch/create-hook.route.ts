import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Hooks } from './hooks.service.ts'

export const createHookRoute = (hooks: Hooks) =>
  route(lendingOperations.createHook, ({ tenant, mountedAt, params, body }) =>
    hooks.create({ tenant, mountedAt }, params.marketId, body),
  )
