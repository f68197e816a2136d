import type { BodyOf, lendingOperations } from '@tallystick/wire'

type DeployBody = BodyOf<typeof lendingOperations.deployMarket>

const DAY = 86_400
const rateModeNumbers = { CURVE: 0, CLAMPED: 1, FIXED: 2 } as const
const GRACE_DEFAULT_DAYS = 3

export interface RateOffering {
  readonly rateMode: 'CURVE' | 'CLAMPED' | 'FIXED'
  readonly offer: { mode: 0 | 1 | 2; floorBps: number; capBps: number; fixedBps: number }
  /** The highest rate it promises, which the factory's ceiling is compared with. */
  readonly highestBps: number
}

export interface TermOffering {
  readonly maxLoanDuration: number
  readonly gracePeriod: number
  readonly terminalDueAt: number
  readonly graceDefaultApplies: boolean
}

/** Fields of one mode do not mix with those of another. */
export function rateOffer(
  request: Pick<DeployBody, 'rateMode' | 'rateFloorBps' | 'rateCapBps' | 'fixedRateBps'>,
): RateOffering | { readonly refused: string } {
  const { rateMode = 'CURVE', rateFloorBps, rateCapBps, fixedRateBps } = request
  const mode = rateModeNumbers[rateMode]
  if (rateMode !== 'CLAMPED' && (rateFloorBps !== undefined || rateCapBps !== undefined))
    return { refused: 'rateFloorBps and rateCapBps belong to rateMode CLAMPED.' }
  if (rateMode !== 'FIXED' && fixedRateBps !== undefined) return { refused: 'fixedRateBps belongs to rateMode FIXED.' }
  if (rateMode === 'CURVE') return { rateMode, offer: { mode, floorBps: 0, capBps: 0, fixedBps: 0 }, highestBps: 0 }
  if (rateMode === 'CLAMPED') {
    if (rateCapBps === undefined) return { refused: 'rateMode CLAMPED needs rateCapBps.' }
    const floorBps = rateFloorBps ?? 0
    if (rateCapBps < floorBps) return { refused: 'rateCapBps is below rateFloorBps.' }
    return { rateMode, offer: { mode, floorBps, capBps: rateCapBps, fixedBps: 0 }, highestBps: rateCapBps }
  }
  if (fixedRateBps === undefined) return { refused: 'rateMode FIXED needs fixedRateBps.' }
  return { rateMode, offer: { mode, floorBps: 0, capBps: 0, fixedBps: fixedRateBps }, highestBps: fixedRateBps }
}

export function rateOffering(body: DeployBody): RateOffering | { readonly refused: string } {
  const offering = rateOffer(body)
  if ('refused' in offering || offering.rateMode !== 'FIXED' || body.maxLoanDurationDays !== undefined) return offering
  return { refused: 'rateMode FIXED needs maxLoanDurationDays: a stamped rate ends with its loan.' }
}

export function termOffering(body: DeployBody, chainTime: number): TermOffering | { readonly refused: string } {
  const { maxLoanDurationDays = 0, terminalDueDate = 0, termGracePeriodDays } = body
  const hasTerm = maxLoanDurationDays > 0 || terminalDueDate > 0
  if (terminalDueDate > 0 && terminalDueDate <= chainTime)
    return { refused: 'terminalDueDate is not in the future of the chain.' }
  if (terminalDueDate > 2 ** 40 - 1) return { refused: 'terminalDueDate is beyond what the contracts can hold.' }
  if (termGracePeriodDays !== undefined && !hasTerm)
    return { refused: 'termGracePeriodDays needs maxLoanDurationDays or terminalDueDate.' }
  return {
    maxLoanDuration: maxLoanDurationDays * DAY,
    gracePeriod: hasTerm ? (termGracePeriodDays ?? GRACE_DEFAULT_DAYS) * DAY : 0,
    terminalDueAt: terminalDueDate,
    graceDefaultApplies: hasTerm && termGracePeriodDays === undefined,
  }
}
