import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { IdentityGates } from './identity-gates.service.ts'

export const setIdentityGatesRoute = (gates: IdentityGates) =>
  route(lendingOperations.setIdentityGates, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? gates.build(call, params.marketId, body)
      : gates.confirm(call, params.marketId, txHash)
  })
