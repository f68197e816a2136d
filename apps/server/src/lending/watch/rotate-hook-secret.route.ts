import { lendingOperations } from '@tallystick/wire'
import { administrativeRoute } from '../../platform/http/route.ts'
import type { Hooks } from './hooks.service.ts'

export const rotateHookSecretRoute = (hooks: Hooks) =>
  administrativeRoute(lendingOperations.rotateHookSecret, ({ tenant, mountedAt, params }) =>
    hooks.rotateSecret({ tenant, mountedAt }, params.marketId, params.hookId),
  )
