import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AcceptMarket } from './accept-market.service.ts'

export const acceptCuratorRoleRoute = (accept: AcceptMarket) =>
  route(lendingOperations.acceptCuratorRole, ({ tenant, caller, mountedAt, params, body }) =>
    accept({ tenant, instance: caller.instance, mountedAt }, params.market, body),
  )
