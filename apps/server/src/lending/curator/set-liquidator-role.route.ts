import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AccessRoles } from './access-role.service.ts'

export const setLiquidatorRoleRoute = (accessRoles: AccessRoles) =>
  route(lendingOperations.setLiquidatorRole, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? accessRoles.buildLiquidator(call, params.marketId, body)
      : accessRoles.confirm(call, params.marketId, { ...body, role: 'MARKET_LIQUIDATOR' }, txHash)
  })
