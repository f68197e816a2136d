import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Earnings } from './earnings.service.ts'

export const getVaultEarningsRoute = (get: Earnings) =>
  route(lendingOperations.getVaultEarnings, ({ tenant, caller, mountedAt, params, query }) =>
    get({ tenant, mountedAt, chainId: caller.instance.chainId }, params.vaultAddress, query),
  )
