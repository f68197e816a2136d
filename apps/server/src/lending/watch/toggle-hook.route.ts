import { lendingOperations } from '@tallystick/wire'
import { administrativeRoute } from '../../platform/http/route.ts'
import type { Hooks } from './hooks.service.ts'

export const toggleHookRoute = (hooks: Hooks) =>
  administrativeRoute(lendingOperations.toggleHook, ({ tenant, mountedAt, params, body }) =>
    hooks.toggle({ tenant, mountedAt }, params.marketId, params.hookId, body.active),
  )
