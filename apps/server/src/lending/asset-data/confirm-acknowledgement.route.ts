import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { Acknowledgement } from './acknowledgement.service.ts'

export const confirmAcknowledgementRoute = (acknowledgement: Acknowledgement) =>
  route(lendingOperations.confirmAcknowledgement, ({ tenant, caller, mountedAt, params, body }) =>
    acknowledgement.confirm({ tenant, instance: caller.instance, mountedAt, market: params.market }, body.txHash),
  )
