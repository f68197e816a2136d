import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { LedgerService } from './ledger.service.ts'

export const listLedgerTokensRoute = (service: LedgerService) =>
  route(tradingOperations.listLedgerTokens, async ({ tenant }) => ({ data: await service.tokens(tenant) }))
