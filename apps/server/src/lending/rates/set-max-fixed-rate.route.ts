import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { SetRates } from './set-rates.service.ts'

export const setMaxFixedRateRoute = (settings: SetRates) =>
  route(lendingOperations.setMaxFixedRate, ({ tenant, mountedAt, params: { marketId }, body }) => {
    const call = { tenant, mountedAt }
    return body.txHash === undefined
      ? settings.buildMaxFixedRate(call, marketId, body)
      : settings.confirmMaxFixedRate(call, marketId, body.txHash)
  })
