import { lendingOperations } from '@tallystick/wire'
import { administrativeRoute } from '../../platform/http/route.ts'
import type { Hooks } from './hooks.service.ts'

export const createHookRoute = (hooks: Hooks) =>
  administrativeRoute(lendingOperations.createHook, ({ tenant, mountedAt, params, body }) =>
    hooks.create({ tenant, mountedAt }, params.marketId, body),
  )
