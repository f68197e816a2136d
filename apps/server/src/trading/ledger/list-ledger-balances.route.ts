import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LedgerService } from './ledger.service.ts'

export const listLedgerBalancesRoute = (service: LedgerService) =>
  route(tradingOperations.listLedgerBalances, async ({ tenant, query }) => ({
    data: await service.balances(tenant, query),
  }))
