import type { MinedTransaction } from '../../platform/chain/transaction.ts'

export const instantOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** When what a proof shows happened. */
export const minedAt = ({ transaction }: { readonly transaction: MinedTransaction }): string =>
  instantOf(transaction.block.time)
