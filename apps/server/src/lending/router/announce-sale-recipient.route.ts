import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { SaleRecipient } from './sale-recipient.service.ts'

export const announceSaleRecipientRoute = (recipients: SaleRecipient) =>
  route(lendingOperations.announceSaleRecipient, ({ tenant, mountedAt, params, body }) => {
    const call = { tenant, mountedAt }
    const { txHash } = body
    return txHash === undefined
      ? recipients.buildAnnouncement(call, params.marketId, body)
      : recipients.confirmAnnouncement(call, params.marketId, txHash)
  })
