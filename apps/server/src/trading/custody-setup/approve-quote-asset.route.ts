import { tradingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Securities } from './securities.service.ts'

export const approveQuoteAssetRoute = (service: Securities) =>
  route(tradingOperations.approveQuoteAsset, async ({ tenant, params, body }) =>
    service.approval(tenant, params.orderBookId, body.amount),
  )
