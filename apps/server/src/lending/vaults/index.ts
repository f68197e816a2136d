import type { Route } from '../../platform/http/mount.ts'
import type { LendingParts } from '../parts.ts'
import { deployVaultRoute } from './deploy-vault.route.ts'
import { createDeployVault } from './deploy-vault.service.ts'
import { deregisterVaultRoute } from './deregister-vault.route.ts'
import { createDrawCap } from './draw-cap.service.ts'
import { getVaultLiquidityRoute } from './get-vault-liquidity.route.ts'
import { listConnectedVaultsRoute } from './list-connected-vaults.route.ts'
import { listVaultsRoute } from './list-vaults.route.ts'
import { createReadVaults } from './read-vaults.service.ts'
import { registerVaultRoute } from './register-vault.route.ts'
import { createRegisterVaults } from './register-vaults.service.ts'
import { setDrawCapRoute } from './set-draw-cap.route.ts'
import { setVaultLiquidityRoute } from './set-vault-liquidity.route.ts'
import { createSwitchLiquidity } from './switch-liquidity.service.ts'
import { createVaultLiquidity } from './vault-liquidity.service.ts'

export const vaultsRoutes = (parts: LendingParts): Route[] => {
  const liquidity = createVaultLiquidity(parts)
  const registration = createRegisterVaults(parts)
  return [
    getVaultLiquidityRoute(liquidity),
    setVaultLiquidityRoute(createSwitchLiquidity(parts)),
    registerVaultRoute(registration),
    deregisterVaultRoute(registration),
    listConnectedVaultsRoute(liquidity),
    listVaultsRoute(createReadVaults(parts)),
    deployVaultRoute(createDeployVault(parts)),
    setDrawCapRoute(createDrawCap(parts)),
  ]
}
