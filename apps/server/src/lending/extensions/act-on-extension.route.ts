import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ActOnExtension } from './act-on-extension.service.ts'

export const actOnExtensionRoute = (act: ActOnExtension) =>
  route(lendingOperations.actOnExtension, ({ tenant, mountedAt, params, body }) =>
    act({ tenant, mountedAt }, params, body.loanIds),
  )
