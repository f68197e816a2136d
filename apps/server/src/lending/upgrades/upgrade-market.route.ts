import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Upgrades } from './upgrades.service.ts'

export const upgradeMarketRoute = (upgrades: Upgrades) =>
  route(lendingOperations.upgradeMarket, ({ tenant, mountedAt, params, body }) => {
    const { txHash } = body
    return txHash === undefined
      ? upgrades.build({ tenant, mountedAt }, params.marketId, body)
      : upgrades.confirm({ tenant, mountedAt }, params.marketId, { ...body, txHash })
  })
