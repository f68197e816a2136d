import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Securities } from './securities.service.ts'

export const getBookSecurityRoute = (service: Securities) =>
  route(tradingOperations.getBookSecurity, async ({ tenant, params, query }) =>
    service.get(tenant, params.orderBookId, query.userAddress),
  )
