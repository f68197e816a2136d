import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RealizationDecisions } from './realization-decisions.service.ts'

export const handleLiquidationTimeoutRoute = (decisions: RealizationDecisions) =>
  route(lendingOperations.handleLiquidationTimeout, ({ tenant, mountedAt, params, query, body }) => {
    const call = { tenant, mountedAt, params, query, body }
    const { txHash } = body
    return txHash === undefined ? decisions.buildTimeout(call) : decisions.confirmTimeout(call, txHash)
  })
