import type { BodyOf, lendingOperations } from '@tallystick/wire'
import type { AppCode, Refuse } from '../../platform/app-error.ts'
import type { LoanNow, TermsNow } from './extension.reads.ts'

type ProposeBody = BodyOf<typeof lendingOperations.proposeExtension>

export const kinds = ['LOAN', 'BATCH', 'FLOOR'] as const
export type Kind = (typeof kinds)[number]

/** As the contract counts them. */
export const loanStatus = { NONE: 0, ACTIVE: 1, IN_AUCTION: 2, CLOSED: 3 } as const

const MAX_UINT40 = 2n ** 40n - 1n

export interface Refusal<Code extends AppCode> {
  readonly code: Code
  readonly detail?: string
  readonly extra?: Record<string, unknown>
}

export interface ProposalRequest {
  readonly kind: Kind
  /** 0n unless it is about one loan. */
  readonly loanId: bigint
  readonly newDueAt: bigint
}

/** Why a loan cannot be extended. */
type LoanRefusal = Refusal<
  'INVALID_EXTENSION' | 'EXTENSION_NOT_ALLOWED' | 'LOAN_NOT_ACTIVE' | 'LOAN_NOT_FOUND' | 'LOAN_STATE_UNAVAILABLE'
>
type ProposalRefusal = LoanRefusal | Refusal<'TERMS_NOT_ENABLED'>

const invalid = (detail: string): Refusal<'INVALID_EXTENSION'> => ({ code: 'INVALID_EXTENSION', detail })

/** What is asked for; refuses what makes no sense on any market. */
export function requestOf(
  { kind, loanId, newDueAt }: ProposeBody,
  refuse: Refuse<'INVALID_EXTENSION'>,
): ProposalRequest {
  if (kind === 'LOAN' && loanId === undefined)
    throw refuse('INVALID_EXTENSION', { detail: 'A LOAN extension needs loanId.' })
  if (kind !== 'LOAN' && loanId !== undefined)
    throw refuse('INVALID_EXTENSION', { detail: `A ${kind} extension is not about one loan: leave loanId out.` })
  return { kind, loanId: BigInt(loanId ?? 0), newDueAt: BigInt(newDueAt) }
}

interface Situation {
  readonly terms: TermsNow
  readonly loan: LoanNow | null
  /** The published terms of use of the lender of record say that loans may be extended. */
  readonly isProvidedFor: boolean
  readonly chainTime: number
}

/** Why the market would not take this proposal, or should not; null: it would. */
export function whyNotPropose(
  request: ProposalRequest,
  { terms, loan, isProvidedFor, chainTime }: Situation,
): ProposalRefusal | null {
  if (terms.maxLoanDuration === 0 && terms.terminalDueAt === 0) return { code: 'TERMS_NOT_ENABLED' }
  if (!terms.isExtensionAllowed)
    return { code: 'EXTENSION_NOT_ALLOWED', detail: 'The extension switch of the market is off.' }
  if (!isProvidedFor)
    return {
      code: 'EXTENSION_NOT_ALLOWED',
      detail: 'The lender of record has published no terms of use that provide for extensions.',
    }
  const { kind, newDueAt } = request
  if (newDueAt <= BigInt(chainTime)) return invalid(`newDueAt is not in the future: the chain says ${chainTime}.`)
  if (newDueAt > MAX_UINT40) return invalid('newDueAt is beyond what the contracts can hold.')
  if (kind === 'FLOOR' && newDueAt <= BigInt(terms.dueFloor))
    return invalid(`newDueAt must be later than the due floor of the market, ${terms.dueFloor}.`)
  return kind === 'LOAN' ? whyNotLoan(request, loan) : null
}

function whyNotLoan({ newDueAt }: ProposalRequest, loan: LoanNow | null): LoanRefusal | null {
  if (!loan) return { code: 'LOAN_STATE_UNAVAILABLE' }
  if (loan.status === loanStatus.NONE) return { code: 'LOAN_NOT_FOUND' }
  if (loan.status === loanStatus.CLOSED) return { code: 'LOAN_NOT_ACTIVE' }
  if (loan.status === loanStatus.IN_AUCTION)
    return { code: 'LOAN_NOT_ACTIVE', detail: 'The collateral of the loan is being auctioned.' }
  if (loan.effectiveDueAt === 0n)
    return {
      code: 'EXTENSION_NOT_ALLOWED',
      detail: 'The loan was opened while the market had no terms: it has no maturity.',
    }
  if (newDueAt <= loan.effectiveDueAt)
    return invalid(`newDueAt must be later than the effective maturity of the loan, ${loan.effectiveDueAt}.`)
  return null
}

const sentences: Record<Kind, (request: ProposalRequest) => string> = {
  LOAN: ({ loanId, newDueAt }) => `Proposes that loan ${loanId} matures at ${newDueAt}.`,
  BATCH: ({ newDueAt }) =>
    `Proposes that loans opened so far mature no earlier than ${newDueAt}; closed ones, those without a maturity and later ones are skipped.`,
  FLOOR: ({ newDueAt }) => `Proposes that no loan with a maturity matures earlier than ${newDueAt}.`,
}

export const describeProposal = (request: ProposalRequest): string =>
  `${sentences[request.kind](request)} Nothing moves before the admin confirms, within seven days. No rate changes.`
