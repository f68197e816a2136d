import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { VaultFees } from './vault-fees.service.ts'

export const payOperatorFeesRoute = ({ operator }: VaultFees) =>
  route(lendingOperations.payOperatorFees, ({ tenant, caller, mountedAt, params, body }) => {
    const call = { tenant, mountedAt, chainId: caller.instance.chainId }
    const { txHash } = body
    return txHash === undefined
      ? operator.build(call, params.vaultAddress)
      : operator.confirm(call, params.vaultAddress, txHash)
  })
