import type { ConfirmedCandidate } from '../../writes/index.ts'

/** What every confirmation about vaults says alike. */
export const confirmedFacts = ({ functionName, transaction }: ConfirmedCandidate<object>) => ({
  functionName,
  signedBy: transaction.from,
  at: new Date(transaction.block.time * 1000).toISOString(),
})
