import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Hooks } from './hooks.service.ts'

export const listHooksRoute = (hooks: Hooks) =>
  route(lendingOperations.listHooks, ({ tenant, mountedAt, params }) =>
    hooks.list({ tenant, mountedAt }, params.marketId),
  )
