import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/mount.ts'
import type { Upgrades } from './upgrades.service.ts'

export const getUpgradeStatusRoute = (upgrades: Upgrades) =>
  route(lendingOperations.getUpgradeStatus, ({ tenant, mountedAt, params }) =>
    upgrades.status({ tenant, mountedAt }, params.marketId),
  )
