import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { VaultFees } from './vault-fees.service.ts'

export const payDistributorRoute = ({ pay }: VaultFees) =>
  route(lendingOperations.payDistributor, ({ tenant, caller, mountedAt, params, body }) => {
    const call = { tenant, mountedAt, chainId: caller.instance.chainId }
    const { txHash } = body
    return txHash === undefined
      ? pay.build(call, params.vaultAddress, body)
      : pay.confirm(call, params.vaultAddress, { ...body, txHash })
  })
