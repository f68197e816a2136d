import { lendingOperations } from '@tallystick/wire'
import { administrativeRoute } from '../../platform/http/route.ts'
import type { Hooks } from './hooks.service.ts'

export const deleteHookRoute = (hooks: Hooks) =>
  administrativeRoute(lendingOperations.deleteHook, ({ tenant, mountedAt, params }) =>
    hooks.remove({ tenant, mountedAt }, params.marketId, params.hookId),
  )
