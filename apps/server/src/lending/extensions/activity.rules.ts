import { kinds } from './proposal.rules.ts'

export const activityEvents = [
  'ExtensionProposed',
  'ExtensionConfirmed',
  'ExtensionApplied',
  'ExtensionFloorRaised',
  'ExtensionCompleted',
  'ExtensionCancelled',
  'AllowExtensionUpdated',
] as const

/** One event of a market about extensions. */
export interface Happening {
  readonly event: (typeof activityEvents)[number]
  readonly effect: Readonly<Record<string, string | number | boolean | null>>
}

/** An event as the interface tells it: only what it is about. */
export function activityOf({ event, effect }: Happening) {
  const { proposalId, kind, loanId, isAllowed } = effect
  const newDueAt = effect.newDueAt ?? effect.newDueFloor
  const named = kind === undefined ? undefined : kinds[Number(kind)]
  return {
    event,
    ...(proposalId === undefined ? {} : { proposalId: String(proposalId) }),
    ...(named === undefined ? {} : { kind: named }),
    ...(loanId === undefined || loanId === '0' ? {} : { loanId: String(loanId) }),
    ...(newDueAt === undefined ? {} : { newDueAt: Number(newDueAt) }),
    ...(typeof isAllowed === 'boolean' ? { allowed: isAllowed } : {}),
  }
}

/** Who acted, where an event names it: inside a wrapper that is not who sent the transaction. */
export function actorOf(happenings: readonly Happening[]): string | null {
  for (const { effect } of happenings) {
    const actor = effect.proposer ?? effect.by
    if (typeof actor === 'string') return actor
  }
  return null
}
