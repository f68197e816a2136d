import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Alongside, ConfirmedCandidate } from '../../writes/index.ts'
import type { WalletOnRegister } from '../register/index.ts'
import type { Slot } from '../values/index.rules.ts'
import { removeProofs } from './proofs.store.ts'

/** Takes the proofs behind a slot out of the ledger, in the transaction that records its revocation. How many, is known after that. */
export function forgetProofs(
  { transaction, logIndex }: ConfirmedCandidate,
  { chain, address, wallet, tenant, now }: WalletOnRegister & { readonly tenant: TenantDatabase; readonly now: Date },
  slot: Slot,
): { readonly alongside: Alongside; removed(): number } {
  let removed = 0
  const place = { chainId: chain.chainId, registry: address, wallet, slot: slot.index }
  return {
    alongside: {
      async asTenant(sql) {
        removed = await removeProofs(sql, tenant.instanceId, { ...place, txHash: transaction.hash, logIndex }, now)
      },
    },
    removed: () => removed,
  }
}
