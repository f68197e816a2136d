import { lendingOperations } from '@tallystick/wire'
import { route } from '../../platform/http/route.ts'
import type { ConfirmVaultTransaction } from './confirm-vault-transaction.service.ts'

export const confirmVaultTransactionRoute = (confirm: ConfirmVaultTransaction) =>
  route(lendingOperations.confirmVaultTransaction, ({ tenant, caller, mountedAt, params, body }) =>
    confirm({ tenant, mountedAt, chainId: caller.instance.chainId }, params.vaultAddress, body),
  )
