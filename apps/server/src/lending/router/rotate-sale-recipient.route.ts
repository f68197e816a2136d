import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SaleRecipient } from './sale-recipient.service.ts'

export const rotateSaleRecipientRoute = (recipients: SaleRecipient) =>
  route(lendingOperations.rotateSaleRecipient, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? recipients.buildRotation(call, params.marketId)
      : recipients.confirmRotation(call, params.marketId, txHash)
  })
