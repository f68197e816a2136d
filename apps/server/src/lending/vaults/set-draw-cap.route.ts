import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { DrawCap } from './draw-cap.service.ts'

export const setDrawCapRoute = (cap: DrawCap) =>
  route(lendingOperations.setDrawCap, ({ tenant, caller, mountedAt, params, body }) => {
    const call = { tenant, mountedAt, chainId: caller.instance.chainId }
    const { txHash } = body
    return txHash === undefined
      ? cap.build(call, params.vaultAddress, body)
      : cap.confirm(call, params.vaultAddress, { ...body, txHash })
  })
