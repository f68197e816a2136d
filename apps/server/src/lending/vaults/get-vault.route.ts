import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { GetVault } from './get-vault.service.ts'

export const getVaultRoute = (get: GetVault) =>
  route(lendingOperations.getVault, ({ tenant, caller, mountedAt, params, query }) =>
    get({ tenant, mountedAt, chainId: caller.instance.chainId }, params.vaultAddress, query.address),
  )
