import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { AtomicMode } from './atomic-mode.service.ts'

export const setAtomicModeRoute = (modes: AtomicMode) =>
  route(lendingOperations.setAtomicMode, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? modes.build(call, params.marketId, body)
      : modes.confirm(call, params.marketId, txHash)
  })
