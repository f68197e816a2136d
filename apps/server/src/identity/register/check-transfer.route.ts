import { identityOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { CheckTransfer } from './check-transfer.service.ts'

export const checkTransferRoute = (checkTransfer: CheckTransfer) =>
  route(identityOperations.checkTransfer, ({ tenant, caller, body }) =>
    checkTransfer({ tenant, instance: caller.instance }, body),
  )
