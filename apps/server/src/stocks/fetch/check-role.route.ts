import { stocksOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Fetch } from './fetch.service.ts'

export const checkRoleRoute = (fetch: Fetch) =>
  route(stocksOperations.checkRole, ({ tenant, params, query }) =>
    fetch.role(tenant, params.tokenAddress, params.account, query),
  )
