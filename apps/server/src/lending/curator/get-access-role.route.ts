import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { GetAccessRole } from './get-access-role.service.ts'

export const getAccessRoleRoute = (getAccessRole: GetAccessRole) =>
  route(lendingOperations.getAccessRole, ({ tenant, mountedAt, params, query }) =>
    getAccessRole({ tenant, mountedAt }, params.marketId, params.address, query.role),
  )
