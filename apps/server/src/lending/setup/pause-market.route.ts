import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Pause } from './pause.service.ts'

export const pauseMarketRoute = (pause: Pause) =>
  route(lendingOperations.pauseMarket, ({ tenant, mountedAt, params, body }) =>
    pause.pause({ tenant, mountedAt }, params.marketId, body.txHash),
  )
