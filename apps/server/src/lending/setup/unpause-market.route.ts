import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Pause } from './pause.service.ts'

export const unpauseMarketRoute = (pause: Pause) =>
  route(lendingOperations.unpauseMarket, ({ tenant, mountedAt, params, body }) =>
    pause.unpause({ tenant, mountedAt }, params.marketId, body.txHash),
  )
