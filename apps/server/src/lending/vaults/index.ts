import type { Route } from '../../platform/http/route.ts'
import type { LendingParts } from '../parts.ts'
import { collectDistributorFees } from './collect-distributor-fees.write.ts'
import { confirmVaultTransaction } from './confirm-vault-transaction.write.ts'
import { deployVault } from './deploy-vault.write.ts'
import { depositToVault } from './deposit-to-vault.write.ts'
import { deregisterVault } from './deregister-vault.write.ts'
import { createEarnings } from './earnings.service.ts'
import { getVaultRoute } from './get-vault.route.ts'
import { createGetVault } from './get-vault.service.ts'
import { getVaultEarningsRoute } from './get-vault-earnings.route.ts'
import { getVaultLiquidityRoute } from './get-vault-liquidity.route.ts'
import { listConnectedVaultsRoute } from './list-connected-vaults.route.ts'
import { listVaultHistoryRoute } from './list-vault-history.route.ts'
import { listVaultsRoute } from './list-vaults.route.ts'
import { payDistributor } from './pay-distributor.write.ts'
import { payOperatorFees } from './pay-operator-fees.write.ts'
import { createReadVaults } from './read-vaults.service.ts'
import { redeemFromVault } from './redeem-from-vault.write.ts'
import { registerVault } from './register-vault.write.ts'
import { removeVaultMarket } from './remove-vault-market.write.ts'
import { setDrawCap } from './set-draw-cap.write.ts'
import { setVaultLiquidity } from './set-vault-liquidity.write.ts'
import { listVaultHistory } from './vault-history.service.ts'
import { createVaultLiquidity } from './vault-liquidity.service.ts'

const writes = [
  depositToVault,
  redeemFromVault,
  confirmVaultTransaction,
  setVaultLiquidity,
  registerVault,
  deregisterVault,
  deployVault,
  setDrawCap,
  removeVaultMarket,
  collectDistributorFees,
  payDistributor,
  payOperatorFees,
]

export const vaultsRoutes = (parts: LendingParts): Route[] => {
  const liquidity = createVaultLiquidity(parts)
  return [
    getVaultLiquidityRoute(liquidity),
    listConnectedVaultsRoute(liquidity),
    listVaultsRoute(createReadVaults(parts)),
    getVaultRoute(createGetVault(parts)),
    getVaultEarningsRoute(createEarnings(parts)),
    listVaultHistoryRoute(listVaultHistory),
    ...writes.map((write) => write(parts)),
  ]
}
