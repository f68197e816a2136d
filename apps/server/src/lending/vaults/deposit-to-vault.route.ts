import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Deposit } from './deposit.service.ts'

export const depositToVaultRoute = (deposit: Deposit) =>
  route(lendingOperations.depositToVault, ({ tenant, caller, mountedAt, params, body }) =>
    deposit.build({ tenant, mountedAt, chainId: caller.instance.chainId }, params.vaultAddress, body),
  )
