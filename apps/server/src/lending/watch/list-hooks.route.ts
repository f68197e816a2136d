import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Hooks } from './hooks.service.ts'

export const listHooksRoute = (hooks: Hooks) =>
  route(lendingOperations.listHooks, ({ tenant, mountedAt, params }) =>
    hooks.list({ tenant, mountedAt }, params.marketId),
  )
