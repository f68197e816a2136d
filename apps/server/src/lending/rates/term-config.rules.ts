import type { LegBodyOf, lendingOperations } from '@tallystick/wire'
import { zeroAddress } from 'viem'
import { termFloorExposure } from './term-floor.rules.ts'
import type { TermState } from './terms.reads.ts'

const DAY = 86_400
const GRACE_DEFAULT = 3 * DAY
const FIXED = 2
const MAX_UINT40 = 2 ** 40 - 1

type TermBody = LegBodyOf<typeof lendingOperations.setTermConfig, 'build'>

/** The terms that new loans get, in seconds and bps. */
interface NewTerms {
  readonly maxLoanDuration: number
  readonly gracePeriod: number
  readonly terminalDueAt: number
  readonly termPenaltyBps: number
}

/** What replaces the terms: a field that is left out is cleared, except the grace period. */
export function newTerms(body: TermBody, current: TermState): NewTerms {
  const { maxLoanDurationDays, terminalDueDate = 0, termGracePeriodDays, termPenaltyBps = 0 } = body
  return {
    maxLoanDuration: maxLoanDurationDays * DAY,
    gracePeriod:
      termGracePeriodDays === undefined ? current.term.gracePeriod || GRACE_DEFAULT : termGracePeriodDays * DAY,
    terminalDueAt: terminalDueDate,
    termPenaltyBps,
  }
}

/** Why a market would refuse these terms, in words; null: it would not. */
export function whyInvalid(terms: NewTerms, { config }: TermState, chainTime: number): string | null {
  const { maxLoanDuration, terminalDueAt, termPenaltyBps } = terms
  if (terminalDueAt > MAX_UINT40) return 'terminalDueDate is beyond what the contracts can hold.'
  if (terminalDueAt !== 0 && terminalDueAt <= chainTime) return 'terminalDueDate is not in the future of the chain.'
  if (termPenaltyBps > config.liquidationPenaltyBps)
    return `termPenaltyBps is above the liquidation penalty of the market, ${config.liquidationPenaltyBps}.`
  if (termPenaltyBps !== 0 && maxLoanDuration === 0 && terminalDueAt === 0)
    return 'termPenaltyBps needs maxLoanDurationDays or terminalDueDate.'
  return null
}

export const needsTermsForRate = (terms: NewTerms, { offer }: TermState): boolean =>
  offer.mode === FIXED && terms.maxLoanDuration === 0

export const hasTerms = ({ maxLoanDuration, terminalDueAt }: Pick<NewTerms, 'maxLoanDuration' | 'terminalDueAt'>) =>
  maxLoanDuration !== 0 || terminalDueAt !== 0

/** Which terms a loan keeps from the day it was opened, and which follow the market. */
export function termReach({ stampsLoanTerms, pool }: Pick<TermState, 'stampsLoanTerms' | 'pool'>) {
  const dates = ['maxLoanDuration', 'terminalDueDate'] as const
  const costs = ['termGracePeriod', 'termPenalty'] as const
  if (stampsLoanTerms === true)
    return {
      termStamping: 'PER_LOAN' as const,
      stampedOnNewLoansOnly: [...dates, ...costs],
      appliesToOpenLoans: ['marketDueFloor' as const],
    }
  return {
    termStamping: stampsLoanTerms === null ? ('UNKNOWN' as const) : ('MARKET_CONFIG' as const),
    stampedOnNewLoansOnly: [...dates],
    appliesToOpenLoans: [...costs, 'marketDueFloor' as const],
    openLoansFollowingConfig: Number(pool.activeLoans),
  }
}

/** What whoever signs should know first. */
export function termWarnings(terms: NewTerms, state: TermState) {
  const { openLoansFollowingConfig = 0 } = termReach(state)
  const { exposed, uncoveredBps } = termFloorExposure(state.config, terms.termPenaltyBps)
  const affected = {
    kind: 'OPEN_TERMED_LOANS_AFFECTED' as const,
    message: `${openLoansFollowingConfig} open loans may follow the new grace period and penalty.`,
  }
  const exposure = {
    kind: 'TERM_FLOOR_EXPOSURE' as const,
    message: `An auction of a matured loan that ends at the floor may leave ${uncoveredBps} bps of the claim open.`,
  }
  return [...(openLoansFollowingConfig > 0 ? [affected] : []), ...(exposed && hasTerms(terms) ? [exposure] : [])]
}

/** Why nobody can open a loan now; null: somebody can. */
export function closedReason({ term, isPaused, operator }: TermState, chainTime: number) {
  if (operator === zeroAddress) return 'PENDING_CURATOR' as const
  if (isPaused) return 'PAUSED' as const
  return term.terminalDueAt !== 0 && term.terminalDueAt <= chainTime ? ('TERMINAL_DUE_DATE_PASSED' as const) : null
}
