import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { VaultFees } from './vault-fees.service.ts'

export const collectDistributorFeesRoute = ({ collect }: VaultFees) =>
  route(lendingOperations.collectDistributorFees, ({ tenant, caller, mountedAt, params, body }) => {
    const call = { tenant, mountedAt, chainId: caller.instance.chainId }
    const { txHash } = body
    return txHash === undefined
      ? collect.build(call, params.vaultAddress, body)
      : collect.confirm(call, params.vaultAddress, { ...body, txHash })
  })
