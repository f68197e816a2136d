import { type NeedKind, needKinds } from '@tallystick/wire'

type Urgency = 'NOW' | 'SOON'

export interface Need {
  readonly kind: NeedKind
  readonly urgency: Urgency
  readonly id: string
  readonly label: string
  readonly marketId: string | null
  readonly orderBookId: string | null
  readonly walletAddress: string | null
  readonly healthFactor: string | null
  readonly dueAt: string | null
}

const nothing = { marketId: null, orderBookId: null, walletAddress: null, healthFactor: null, dueAt: null } as const

const DAY = 86_400
const WAD = 10n ** 18n
/** Below 1 anybody may seize the collateral. */
const CLOSE_WAD = (WAD * 11n) / 10n
const LOAN_DUE_WITHIN = 14 * DAY
/** The part of its time after which a price is about to be stale. */
const FRESH_FIFTHS = 4
export const CLAIM_ENDS_WITHIN = 30 * DAY
/** What ended longer ago was left so on purpose. */
export const CLAIM_ENDED_WITHIN = 30 * DAY
const CLAIM_PRESSING = 3 * DAY
const SETTLEMENT_PRESSING = 3_600
const RFQ_PRESSING = 60
/** A block or two: until then there is nothing to wonder about. */
const PROVEN_WITHIN = 600

const instant = (seconds: number) => new Date(seconds * 1000).toISOString()
const secondsOf = (date: Date) => Math.floor(date.getTime() / 1000)

/** All times in unix seconds. */
export interface LoanSeen {
  readonly marketId: string
  readonly pair: string
  readonly loanId: string
  readonly borrower: string
  readonly healthWad: bigint | null
  readonly healthFactor: string | null
  readonly dueAt: number | null
}

export function needOfLoan(loan: LoanSeen, now: number): Need[] {
  const { marketId, pair, loanId, borrower, healthWad, healthFactor, dueAt } = loan
  const base = { ...nothing, id: loanId, label: pair, marketId, walletAddress: borrower, healthFactor }
  const due = dueAt === null ? null : instant(dueAt)
  if (healthWad !== null && healthWad < CLOSE_WAD)
    return [{ ...base, kind: 'LOAN_NEAR_LIQUIDATION', urgency: healthWad < WAD ? 'NOW' : 'SOON', dueAt: due }]
  if (dueAt === null || dueAt - now > LOAN_DUE_WITHIN) return []
  return [{ ...base, kind: 'LOAN_DUE', urgency: dueAt <= now ? 'NOW' : 'SOON', dueAt: due }]
}

export interface PriceSeen {
  readonly marketId: string
  readonly pair: string
  readonly updatedAt: number
  readonly maxAge: number
}

export function needOfPrice({ marketId, pair, updatedAt, maxAge }: PriceSeen, now: number): Need[] {
  const age = now - updatedAt
  if (age * 5 <= maxAge * FRESH_FIFTHS) return []
  const urgency = age > maxAge ? 'NOW' : 'SOON'
  const dueAt = instant(updatedAt + maxAge)
  return [{ ...nothing, kind: 'PRICE_STALE', urgency, id: marketId, label: pair, marketId, dueAt }]
}

/** Until it answers again nobody sees how its loans are. */
export const needOfUnread = (marketId: string, pair: string): Need => ({
  ...nothing,
  kind: 'MARKET_UNREADABLE',
  urgency: 'NOW',
  id: marketId,
  label: pair,
  marketId,
})

export interface ClaimSeen {
  readonly slot: string
  readonly wallet: string
  readonly expiry: number
}

export function needOfClaim({ slot, wallet, expiry }: ClaimSeen, now: number): Need[] {
  // 0: it does not end.
  if (expiry === 0 || expiry > now + CLAIM_ENDS_WITHIN || expiry < now - CLAIM_ENDED_WITHIN) return []
  const urgency = expiry <= now + CLAIM_PRESSING ? 'NOW' : 'SOON'
  const dueAt = instant(expiry)
  return [{ ...nothing, kind: 'CLAIM_EXPIRING', urgency, id: slot, label: slot, walletAddress: wallet, dueAt }]
}

export interface WaitingSeen {
  readonly kind: 'SETTLEMENT_WAITING' | 'RFQ_OPEN'
  readonly id: string
  readonly bookId: string
  readonly label: string
  readonly requester: string | null
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

export function needOfWaiting({ kind, id, bookId, label, requester, createdAt, expiresAt }: WaitingSeen, now: number) {
  const isPressing = expiresAt
    ? secondsOf(expiresAt) - now <= RFQ_PRESSING
    : now - secondsOf(createdAt) >= SETTLEMENT_PRESSING
  const dueAt = expiresAt?.toISOString() ?? null
  const urgency = isPressing ? 'NOW' : 'SOON'
  const need: Need = { ...nothing, kind, urgency, id, label, orderBookId: bookId, walletAddress: requester, dueAt }
  return [need]
}

export interface TransactionSeen {
  readonly transactionId: string
  readonly summary: string
  readonly status: string
  readonly sentAt: Date | null
}

export function needOfTransaction(
  { transactionId: id, summary, status, sentAt }: TransactionSeen,
  now: number,
): Need[] {
  const base = { ...nothing, id, label: summary }
  if (status === 'BUILT') return [{ ...base, kind: 'TRANSACTION_TO_SIGN', urgency: 'SOON' }]
  if (status === 'PENDING') return [{ ...base, kind: 'TRANSACTION_TO_APPROVE', urgency: 'SOON' }]
  if (status === 'UNDONE') return [{ ...base, kind: 'TRANSACTION_UNDONE', urgency: 'NOW' }]
  const isLate = status === 'SENT' && sentAt !== null && now - secondsOf(sentAt) >= PROVEN_WITHIN
  return isLate ? [{ ...base, kind: 'TRANSACTION_UNPROVEN', urgency: 'SOON' }] : []
}

/** Where a need stands in the list, as text that sorts; a cursor names it. */
export function placeOf({ urgency, kind, id, marketId, walletAddress, dueAt, healthFactor }: Need): string {
  const [whole = '', part = ''] = (healthFactor ?? '').split('.')
  const health = healthFactor === null ? '' : `${whole.padStart(20, '0')}.${part}`
  const within = kind === 'LOAN_NEAR_LIQUIDATION' ? health : (dueAt ?? 'z')
  const whose = [marketId, walletAddress, id].filter((one) => one !== null).join('/')
  const order = needKinds.indexOf(kind).toString().padStart(2, '0')
  return `${urgency === 'NOW' ? 0 : 1}${order} ${within} ${whose}`
}

/** The form of what `placeOf` answers. */
export const PLACE = /^[01]\d\d [\dz.:TZ-]+ [\w/-]+$/

export function countsOf(needs: readonly Need[]) {
  const many = (isMeant: (need: Need) => boolean) => needs.filter(isMeant).length
  const byKind = Object.fromEntries(needKinds.map((kind) => [kind, many((need) => need.kind === kind)]))
  return {
    total: needs.length,
    now: many(({ urgency }) => urgency === 'NOW'),
    soon: many(({ urgency }) => urgency === 'SOON'),
    byKind: byKind as Record<NeedKind, number>,
  }
}
