import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AccessRoles } from './access-role.service.ts'

export const setAccessRoleRoute = (accessRoles: AccessRoles) =>
  route(lendingOperations.setAccessRole, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? accessRoles.build(call, params.marketId, body)
      : accessRoles.confirm(call, params.marketId, body, txHash)
  })
