import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SettlementsService } from './settlements.service.ts'

export const getSettlementRoute = (service: SettlementsService) =>
  route(tradingOperations.getSettlement, async ({ tenant, mountedAt, params }) => ({
    data: await service.get(tenant, mountedAt, params.settlementId),
  }))
