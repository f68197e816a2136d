import type { DataOf, lendingOperations } from '@tallystick/wire'
import { CONFIRMATION_WINDOW } from './action.rules.ts'
import type { ProposalNow } from './extension.reads.ts'
import { type KnownLoans, previewOf } from './preview.rules.ts'
import { type Kind, kinds } from './proposal.rules.ts'
import type { RecordedProposal } from './proposals.store.ts'

type ListedProposal = DataOf<typeof lendingOperations.listExtensions>['proposals'][number]

const orNull = (id: number | string | bigint) => (BigInt(id) === 0n ? null : String(id))

/** What only our record of the chain knows. */
function recordPart(recorded: RecordedProposal | undefined) {
  return {
    proposedBy: recorded ? String(recorded.proposed.proposer) : null,
    proposeTxHash: recorded?.proposeTxHash ?? null,
    confirmTxHash: recorded?.confirmTxHash ?? null,
    cancelTxHash: recorded?.cancelTxHash ?? null,
    recorded: recorded !== undefined,
    recordedByThisInstance: recorded?.recordedByThisInstance ?? null,
  }
}

/** A proposal as the chain shows it now, with what our record adds. */
export function liveProposal(
  proposalId: bigint,
  proposal: ProposalNow,
  recorded: RecordedProposal | undefined,
  loans: KnownLoans,
  chainTime: number,
): ListedProposal {
  const kind = kinds[proposal.kind] ?? 'LOAN'
  const { isConfirmed, isConsumed: consumed, proposedAt, newDueAt } = proposal
  const cancelled = cancelledOf(kind, consumed, recorded)
  const validUntil = proposedAt + CONFIRMATION_WINDOW
  const expired = !consumed && !isConfirmed && chainTime > validUntil
  return {
    proposalId: proposalId.toString(),
    kind,
    loanId: orNull(proposal.loanId),
    newDueAt,
    maxLoanId: kind === 'BATCH' ? String(proposal.maxLoanId) : null,
    validUntil,
    // One loan and the floor move with the confirmation itself: only our record tells it from a cancellation.
    confirmed: kind === 'BATCH' || !consumed ? isConfirmed : cancelled === null ? null : !cancelled,
    consumed,
    cancelled,
    expired,
    appliedCount: kind === 'BATCH' && recorded ? recorded.appliedCount : null,
    ...recordPart(recorded),
    onChain: true,
    preview: consumed || expired ? null : previewOf(proposal, loans),
  }
}

/** The chain tells only that a proposal is used up; our record may not know yet by what. */
function cancelledOf(kind: Kind, isConsumed: boolean, recorded: RecordedProposal | undefined): boolean | null {
  if (!isConsumed) return false
  if (recorded?.cancelTxHash) return true
  const isDone = kind === 'BATCH' ? recorded?.isCompleted : recorded?.confirmTxHash
  return isDone ? false : null
}

/** The same from our record alone, when the chain does not answer or does not know the proposal. */
export function recordedProposal(recorded: RecordedProposal, onChain: false | null): ListedProposal {
  const { proposed, proposalId, confirmTxHash, cancelTxHash, isCompleted, appliedCount } = recorded
  const kind = kinds[Number(proposed.kind)] ?? 'LOAN'
  const cancelled = cancelTxHash !== null
  const confirmed = confirmTxHash !== null
  return {
    proposalId: proposalId.toString(),
    kind,
    loanId: orNull(String(proposed.loanId)),
    newDueAt: Number(proposed.newDueAt),
    maxLoanId: kind === 'BATCH' ? String(proposed.maxLoanId) : null,
    validUntil: Number(proposed.validUntil),
    confirmed,
    consumed: cancelled || isCompleted || (kind !== 'BATCH' && confirmed),
    cancelled,
    expired: null,
    appliedCount: kind === 'BATCH' ? appliedCount : null,
    ...recordPart(recorded),
    onChain,
    preview: null,
  }
}
