import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LedgerService } from './ledger.service.ts'

export const registerLedgerTokenRoute = (service: LedgerService) =>
  route(tradingOperations.registerLedgerToken, async ({ tenant, body }) => ({
    data: await service.registerToken(tenant, body),
  }))
