import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { SetTerms } from './set-terms.service.ts'

export const setReserveRatioRoute = (settings: SetTerms) =>
  route(lendingOperations.setReserveRatio, ({ tenant, mountedAt, params: { marketId }, body }) => {
    const call = { tenant, mountedAt }
    return body.txHash === undefined
      ? settings.buildReserveRatio(call, marketId, body)
      : settings.confirmReserveRatio(call, marketId, body.txHash)
  })
