import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Upgrades } from './upgrades.service.ts'

export const getUpgradeStatusRoute = (upgrades: Upgrades) =>
  route(lendingOperations.getUpgradeStatus, ({ tenant, mountedAt, params }) =>
    upgrades.status({ tenant, mountedAt }, params.marketId),
  )
