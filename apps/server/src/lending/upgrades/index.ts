import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { getUpgradeStatusRoute } from './get-upgrade-status.route.ts'
import { upgradeMarket } from './upgrade-market.write.ts'
import { createUpgrades } from './upgrades.service.ts'

export const upgradesRoutes = (parts: LendingParts): Route[] => [
  getUpgradeStatusRoute(createUpgrades(parts)),
  upgradeMarket(parts),
]
