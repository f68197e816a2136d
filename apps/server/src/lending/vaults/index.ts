import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { collectDistributorFees } from './collect-distributor-fees.write.ts'
import { confirmVaultTransactionRoute } from './confirm-vault-transaction.route.ts'
import { createConfirmVaultTransaction } from './confirm-vault-transaction.service.ts'
import { deployVaultRoute } from './deploy-vault.route.ts'
import { createDeployVault } from './deploy-vault.service.ts'
import { createDeposit } from './deposit.service.ts'
import { depositToVaultRoute } from './deposit-to-vault.route.ts'
import { deregisterVaultRoute } from './deregister-vault.route.ts'
import { createDrawCap } from './draw-cap.service.ts'
import { createEarnings } from './earnings.service.ts'
import { getVaultRoute } from './get-vault.route.ts'
import { createGetVault } from './get-vault.service.ts'
import { getVaultEarningsRoute } from './get-vault-earnings.route.ts'
import { getVaultLiquidityRoute } from './get-vault-liquidity.route.ts'
import { listConnectedVaultsRoute } from './list-connected-vaults.route.ts'
import { listVaultsRoute } from './list-vaults.route.ts'
import { payDistributor } from './pay-distributor.write.ts'
import { payOperatorFees } from './pay-operator-fees.write.ts'
import { createReadVaults } from './read-vaults.service.ts'
import { createRedeem } from './redeem.service.ts'
import { redeemFromVaultRoute } from './redeem-from-vault.route.ts'
import { registerVaultRoute } from './register-vault.route.ts'
import { createRegisterVaults } from './register-vaults.service.ts'
import { setDrawCapRoute } from './set-draw-cap.route.ts'
import { setVaultLiquidityRoute } from './set-vault-liquidity.route.ts'
import { createSwitchLiquidity } from './switch-liquidity.service.ts'
import { createVaultLiquidity } from './vault-liquidity.service.ts'

const writes = [collectDistributorFees, payDistributor, payOperatorFees]

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
    getVaultRoute(createGetVault(parts)),
    getVaultEarningsRoute(createEarnings(parts)),
    depositToVaultRoute(createDeposit(parts)),
    redeemFromVaultRoute(createRedeem(parts)),
    confirmVaultTransactionRoute(createConfirmVaultTransaction(parts)),
    ...writes.map((write) => write(parts)),
  ]
}
