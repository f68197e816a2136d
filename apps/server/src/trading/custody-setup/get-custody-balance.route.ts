import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Balances } from './balances.service.ts'

export const getCustodyBalanceRoute = (service: Balances) =>
  route(tradingOperations.getCustodyBalance, async ({ tenant, caller, params, mountedAt }) =>
    service.get(tenant, caller, mountedAt, params),
  )
