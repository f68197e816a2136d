import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ConfirmSettlement } from './confirm-settlement.service.ts'

export const confirmSettlementRoute = (service: ConfirmSettlement) =>
  route(tradingOperations.confirmSettlement, ({ tenant, caller, mountedAt, params, body }) =>
    service.confirm(tenant, caller, mountedAt, params.settlementId, body.txHash as `0x${string}`),
  )
