import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LedgerService } from './ledger.service.ts'

export const debitLedgerRoute = (service: LedgerService) =>
  route(tradingOperations.debitLedger, async ({ tenant, body }) => ({ data: await service.debit(tenant, body) }))
