import type { Address } from 'viem'
import type { ConfirmedEffect } from '../../writes/index.ts'
import { assetOf } from './own-vault.ts'
import type { VaultSubject } from './vault-write.ts'

const NOTE =
  'Any wallet may sign; the signer gets nothing. Paid is what is owed when the transaction is mined, which can be more than quoted here.'

/** What every build says of fees on their way from the markets to distributors and the owner. Anybody may move them. */
export const feeAnswer = ({ vault, cash }: VaultSubject, what: string, raw: bigint, recipient: Address) => ({
  description: `${what} ${cash(raw)} ${vault.assetSymbol}.`,
  permissionless: true as const,
  requiredRole: null,
  requiredSigner: null,
  note: NOTE,
  vaultAddress: vault.address,
  recipient,
  amount: cash(raw),
  amountRaw: raw.toString(),
  asset: assetOf(vault),
})

/** What every confirmation of fees that moved says alike. */
export const movedFees = (
  { effect, transaction }: ConfirmedEffect<{ readonly amount: bigint }>,
  { vault, cash }: VaultSubject,
) => ({
  signer: transaction.from,
  vaultAddress: vault.address,
  amount: cash(effect.amount),
  amountRaw: effect.amount.toString(),
  asset: assetOf(vault),
  at: new Date(transaction.block.time * 1000).toISOString(),
})
