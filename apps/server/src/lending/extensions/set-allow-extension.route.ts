import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { AllowExtension } from './allow-extension.service.ts'

export const setAllowExtensionRoute = (allow: AllowExtension) =>
  route(lendingOperations.setAllowExtension, ({ tenant, mountedAt, params: { marketId }, body }) => {
    const call = { tenant, mountedAt }
    return body.txHash === undefined ? allow.build(call, marketId, body) : allow.confirm(call, marketId, body.txHash)
  })
