import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { SetTerms } from './set-terms.service.ts'

export const setTermConfigRoute = (settings: SetTerms) =>
  route(lendingOperations.setTermConfig, ({ tenant, mountedAt, params: { marketId }, body }) => {
    const call = { tenant, mountedAt }
    return body.txHash === undefined
      ? settings.buildTermConfig(call, marketId, body)
      : settings.confirmTermConfig(call, marketId, body.txHash)
  })
