import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SettlementsService } from './settlements.service.ts'

export const listPendingSettlementsRoute = (service: SettlementsService) =>
  route(tradingOperations.listPendingSettlements, async ({ tenant, mountedAt, query }) => ({
    data: await service.pending(tenant, mountedAt, query),
  }))
