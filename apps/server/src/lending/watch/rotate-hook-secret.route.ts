import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Hooks } from './hooks.service.ts'

export const rotateHookSecretRoute = (hooks: Hooks) =>
  route(lendingOperations.rotateHookSecret, ({ tenant, mountedAt, params }) =>
    hooks.rotateSecret({ tenant, mountedAt }, params.marketId, params.hookId),
  )
