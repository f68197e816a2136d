import type { Address } from 'viem'
import type { VaultBooks, VaultHolder } from './vault-books.ts'
import { attributionOf, isVaultWipedOut } from './vault-money.rules.ts'
import { closedFor } from './vaults.rules.ts'

const notes = {
  BINDS_NOW: 'With this deposit the holder is bound to the distributor for good, with all shares it has.',
  ALREADY_BOUND: 'The holder is bound to this distributor already.',
  BOUND_ELSEWHERE: 'The holder is bound to another distributor for good: the one that was asked for gets nothing.',
  UNATTRIBUTED: 'No distributor: what these shares earn in fees is the owner’s.',
  UNKNOWN: 'Whether this binds the holder depends on who signs: name holderAddress to know.',
} as const

/** Why a deposit of this holder would be refused; null: it would not. */
export function depositRefusal({ state }: VaultBooks, holder: VaultHolder | null) {
  const closed = closedFor(state)
  if (closed) return closed
  if (isVaultWipedOut(state)) return 'VAULT_WIPED_OUT' as const
  return holder && !holder.isVerified ? ('DEPOSITOR_NOT_VERIFIED' as const) : null
}

/** Whom the fees of a deposit go to, and why. */
export function showAttribution(holder: VaultHolder | null, requested: Address | null, wallets: readonly Address[]) {
  const known = holder && attributionOf(holder.distributor, requested)
  return {
    supported: true as const,
    binding: known?.binding ?? null,
    requestedDistributor: requested,
    distributor: known?.distributor ?? null,
    creditsThisInstance: known ? known.distributor !== null && wallets.includes(known.distributor) : null,
    note: notes[known?.binding ?? 'UNKNOWN'],
  }
}
