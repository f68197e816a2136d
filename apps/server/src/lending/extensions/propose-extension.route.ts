import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ProposeExtension } from './propose-extension.service.ts'

export const proposeExtensionRoute = (propose: ProposeExtension) =>
  route(lendingOperations.proposeExtension, ({ tenant, mountedAt, params, body }) =>
    propose({ tenant, mountedAt }, params.marketId, body),
  )
