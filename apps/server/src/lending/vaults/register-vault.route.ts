import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RegisterVaults } from './register-vaults.service.ts'

export const registerVaultRoute = ({ register }: RegisterVaults) =>
  route(lendingOperations.registerVault, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { vaultAddress, txHash } = body
    return txHash === undefined
      ? register.build(call, params.marketId, vaultAddress)
      : register.confirm(call, params.marketId, { vaultAddress, txHash })
  })
