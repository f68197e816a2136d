import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { VaultHistory } from './vault-history.service.ts'

export const listVaultHistoryRoute = (list: VaultHistory) =>
  route(lendingOperations.listVaultHistory, ({ tenant, caller, mountedAt, params, query }) =>
    list({ tenant, mountedAt, chainId: caller.instance.chainId }, params.vaultAddress, query),
  )
