import type { LoanNow, ProposalNow, TermsNow } from './extension.reads.ts'
import { kinds, loanStatus, type Refusal } from './proposal.rules.ts'

export type Action = 'confirm' | 'apply' | 'cancel'

export const CONFIRMATION_WINDOW = 7 * 86_400

interface Situation {
  readonly terms: TermsNow
  readonly proposal: ProposalNow
  /** The loan of a LOAN proposal; null: it could not be read. */
  readonly loan: LoanNow | null
  readonly loanIds: readonly bigint[]
  readonly chainTime: number
}

type ActRefusal = Refusal<
  | 'EXTENSION_ALREADY_CONFIRMED'
  | 'EXTENSION_CONSUMED'
  | 'EXTENSION_EXPIRED'
  | 'EXTENSION_LOAN_OUT_OF_SCOPE'
  | 'EXTENSION_NOT_ALLOWED'
  | 'EXTENSION_NOT_BATCH'
  | 'EXTENSION_NOT_CONFIRMED'
  | 'EXTENSION_NOT_FOUND'
  | 'INVALID_EXTENSION'
  | 'LOAN_NOT_ACTIVE'
  | 'MARKET_STATE_UNAVAILABLE'
>

/** Why the market would refuse this act; null: it would not. */
export function whyNotAct(action: Action, situation: Situation): ActRefusal | null {
  const { terms, proposal, chainTime } = situation
  if (proposal.proposedAt === 0) return { code: 'EXTENSION_NOT_FOUND' }
  if (proposal.isConsumed) return { code: 'EXTENSION_CONSUMED' }
  if (action === 'cancel') return null
  if (!terms.isExtensionAllowed) return { code: 'EXTENSION_NOT_ALLOWED' }
  const refusal = action === 'confirm' ? whyNotConfirm(situation) : whyNotApply(situation)
  if (refusal) return refusal
  if (proposal.newDueAt <= chainTime)
    return { code: 'INVALID_EXTENSION', detail: `The proposed maturity ${proposal.newDueAt} has passed.` }
  return action === 'confirm' ? whyNotLater(situation) : null
}

function whyNotConfirm({ proposal, chainTime }: Situation): ActRefusal | null {
  if (proposal.isConfirmed) return { code: 'EXTENSION_ALREADY_CONFIRMED' }
  return chainTime > proposal.proposedAt + CONFIRMATION_WINDOW ? { code: 'EXTENSION_EXPIRED' } : null
}

function whyNotLater({ terms, proposal, loan }: Situation): ActRefusal | null {
  const kind = kinds[proposal.kind]
  if (kind === 'FLOOR' && proposal.newDueAt <= terms.dueFloor)
    return { code: 'INVALID_EXTENSION', detail: `The due floor of the market is ${terms.dueFloor} already.` }
  if (kind !== 'LOAN') return null
  if (!loan) return { code: 'MARKET_STATE_UNAVAILABLE' }
  if (loan.status !== loanStatus.ACTIVE) return { code: 'LOAN_NOT_ACTIVE' }
  if (BigInt(proposal.newDueAt) <= loan.effectiveDueAt)
    return { code: 'INVALID_EXTENSION', detail: `The loan matures at ${loan.effectiveDueAt} already.` }
  return null
}

function whyNotApply({ proposal, loanIds }: Situation): ActRefusal | null {
  if (kinds[proposal.kind] !== 'BATCH') return { code: 'EXTENSION_NOT_BATCH' }
  if (!proposal.isConfirmed) return { code: 'EXTENSION_NOT_CONFIRMED' }
  const maxLoanId = BigInt(proposal.maxLoanId)
  const outOfScope = loanIds.filter((loanId) => loanId > maxLoanId).map(String)
  if (outOfScope.length === 0) return null
  return { code: 'EXTENSION_LOAN_OUT_OF_SCOPE', extra: { maxLoanId: maxLoanId.toString(), outOfScope } }
}

export function describeAction(action: Action, proposalId: bigint, { kind, newDueAt }: ProposalNow): string {
  if (action === 'cancel') return `Cancels proposal ${proposalId}. Maturities that it moved already stay.`
  if (action === 'apply') return `Moves the named loans of batch ${proposalId} to ${newDueAt}; others are skipped.`
  return kinds[kind] === 'BATCH'
    ? `Confirms batch ${proposalId}. Loans move when it is applied, page by page.`
    : `Confirms proposal ${proposalId}, which takes effect at once: new maturity ${newDueAt}.`
}
