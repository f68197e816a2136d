import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ConfirmAcceptance } from './confirm-acceptance.service.ts'

export const confirmAcceptanceRoute = (confirm: ConfirmAcceptance) =>
  route(lendingOperations.confirmAcceptance, ({ tenant, caller, mountedAt, params, body }) =>
    confirm({ tenant, instance: caller.instance, mountedAt }, params.market, body.txHash),
  )
