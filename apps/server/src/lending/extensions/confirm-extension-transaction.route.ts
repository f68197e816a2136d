import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ConfirmExtensionTransaction } from './confirm-extension-transaction.service.ts'

export const confirmExtensionTransactionRoute = (confirm: ConfirmExtensionTransaction) =>
  route(lendingOperations.confirmExtensionTransaction, ({ tenant, mountedAt, params, body }) =>
    confirm({ tenant, mountedAt }, params.marketId, body.txHash),
  )
