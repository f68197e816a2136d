import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { getUpgradeStatusRoute } from './get-upgrade-status.route.ts'
import { upgradeMarketRoute } from './upgrade-market.route.ts'
import { createUpgrades } from './upgrades.service.ts'

export const upgradesRoutes = (parts: LendingParts): Route[] => {
  const upgrades = createUpgrades(parts)
  return [getUpgradeStatusRoute(upgrades), upgradeMarketRoute(upgrades)]
}
