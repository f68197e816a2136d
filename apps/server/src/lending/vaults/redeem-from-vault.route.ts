import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Redeem } from './redeem.service.ts'

export const redeemFromVaultRoute = (redeem: Redeem) =>
  route(lendingOperations.redeemFromVault, ({ tenant, caller, mountedAt, params, body }) =>
    redeem.build({ tenant, mountedAt, chainId: caller.instance.chainId }, params.vaultAddress, body),
  )
