import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RegisterVaults } from './register-vaults.service.ts'

export const deregisterVaultRoute = ({ deregister }: RegisterVaults) =>
  route(lendingOperations.deregisterVault, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { vaultAddress, txHash } = body
    return txHash === undefined
      ? deregister.build(call, params.marketId, vaultAddress)
      : deregister.confirm(call, params.marketId, { vaultAddress, txHash })
  })
