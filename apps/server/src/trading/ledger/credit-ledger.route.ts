import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LedgerService } from './ledger.service.ts'

export const creditLedgerRoute = (service: LedgerService) =>
  route(tradingOperations.creditLedger, async ({ tenant, body }) => ({ data: await service.credit(tenant, body) }))
