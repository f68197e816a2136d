import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SettlementCalldata } from './settlement-calldata.service.ts'

export const getSettlementCalldataRoute = (service: SettlementCalldata) =>
  route(tradingOperations.getSettlementCalldata, ({ tenant, mountedAt, params }) =>
    service.build(tenant, mountedAt, params.settlementId),
  )
