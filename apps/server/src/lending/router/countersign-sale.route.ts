import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { RealizationDecisions } from './realization-decisions.service.ts'

export const countersignSaleRoute = (decisions: RealizationDecisions) =>
  route(lendingOperations.countersignSale, ({ tenant, mountedAt, params, query, body }) => {
    const call = { tenant, mountedAt, params, query, body }
    const { txHash } = body
    return txHash === undefined ? decisions.buildCountersign(call) : decisions.confirmCountersign(call, txHash)
  })
