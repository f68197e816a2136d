import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LedgerService } from './ledger.service.ts'

export const listLedgerEntriesRoute = (service: LedgerService) =>
  route(tradingOperations.listLedgerEntries, async ({ tenant, query }) => ({
    data: await service.entries(tenant, query),
  }))
