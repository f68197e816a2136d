import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { SetRates } from './set-rates.service.ts'

export const setRateModeRoute = (settings: SetRates) =>
  route(lendingOperations.setRateMode, ({ tenant, mountedAt, params: { marketId }, body }) => {
    const call = { tenant, mountedAt }
    return body.txHash === undefined
      ? settings.buildRateMode(call, marketId, body)
      : settings.confirmRateMode(call, marketId, body.txHash)
  })
