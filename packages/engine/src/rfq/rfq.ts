import { type Amount, exact, isAmount, isWorthless, notionalDown } from '../amounts.ts'
import type { Side } from '../terms.ts'
import type { RfqEvent, RfqOutcome, RfqRefusalCode, RfqStep } from './rfq-events.ts'
import { providerLock, requesterLock } from './rfq-locks.ts'
import { isOpen, type Quote, type Rfq } from './rfq-state.ts'
import { endQuotes, endRfq, expireRfq, withStatus } from './rfq-time.ts'

export const RFQ_LIFETIME_MS = { least: 5_000, most: 60_000, usual: 30_000 } as const

export interface OpenRfq {
  readonly id: string
  readonly requester: string
  readonly side: Side
  readonly baseAmount: Amount
  readonly lifetimeMs?: number
  readonly at: number
}

export interface SubmitQuote {
  readonly id: string
  readonly provider: string
  readonly price: Amount
  readonly validUntil?: number
  readonly at: number
}

const refuse = (code: RfqRefusalCode): RfqOutcome => ({ code })

export function openRfq({ id, requester, side, baseAmount, lifetimeMs, at }: OpenRfq): RfqOutcome {
  if (!isAmount(baseAmount)) return refuse('INVALID_QUANTITY')
  const { least, most, usual } = RFQ_LIFETIME_MS
  const lifetime = Math.min(Math.max(lifetimeMs ?? usual, least), most)
  const rfq: Rfq = {
    id,
    requester,
    side,
    baseAmount: exact(baseAmount),
    status: 'PENDING',
    expiresAt: at + lifetime,
    createdAt: at,
    updatedAt: at,
    quotes: [],
  }
  return { rfq, events: [{ kind: 'rfqChanged', status: 'PENDING' }] }
}

/** A provider's new quote takes the place of its older active one. */
export function submitQuote(before: Rfq, { id, provider, validUntil, at, ...asked }: SubmitQuote): RfqOutcome {
  const now = expireRfq(before, at)
  const price = exact(asked.price)
  const until = Math.min(validUntil ?? now.rfq.expiresAt, now.rfq.expiresAt)
  if (!isOpen(now.rfq)) return refuse('RFQ_EXPIRED')
  if (provider === now.rfq.requester) return refuse('FORBIDDEN')
  if (!isAmount(price) || isWorthless(now.rfq.baseAmount, price)) return refuse('INVALID_PRICE')
  if (until <= at || now.rfq.quotes.some((quote) => quote.id === id)) return refuse('INVALID_PARAM')

  const replaced = endQuotes(now.rfq, (quote) => quote.provider === provider, 'WITHDRAWN', at)
  const quote: Quote = { id, provider, price, validUntil: until, status: 'ACTIVE', createdAt: at, updatedAt: at }
  const rfq = { ...replaced.rfq, updatedAt: at, quotes: [...replaced.rfq.quotes, quote] }
  const told: RfqEvent[] = [
    { kind: 'locked', quote: id, lock: providerLock(rfq, provider, price) },
    { kind: 'quoteChanged', quote: id, status: 'ACTIVE' },
  ]
  return withStatus({ rfq, events: [...now.events, ...replaced.events, ...told] }, at)
}

export function withdrawQuote(before: Rfq, id: string, provider: string, at: number): RfqOutcome {
  const now = expireRfq(before, at)
  const quote = now.rfq.quotes.find((candidate) => candidate.id === id)
  if (quote === undefined) return refuse('NOT_FOUND')
  if (quote.provider !== provider) return refuse('FORBIDDEN')
  if (quote.status !== 'ACTIVE') return refuse('QUOTE_EXPIRED')
  const ended = endQuotes(now.rfq, (candidate) => candidate === quote, 'WITHDRAWN', at)
  return withStatus({ rfq: ended.rfq, events: [...now.events, ...ended.events] }, at)
}

/** Exactly one quote of a request is ever accepted; what the others locked is freed. */
export function acceptQuote(before: Rfq, id: string, requester: string, at: number): RfqOutcome {
  const now = expireRfq(before, at)
  if (requester !== now.rfq.requester) return refuse('FORBIDDEN')
  if (!isOpen(now.rfq)) return refuse('RFQ_EXPIRED')
  const quote = now.rfq.quotes.find((candidate) => candidate.id === id)
  if (quote === undefined) return refuse('NOT_FOUND')
  if (quote.status !== 'ACTIVE') return refuse('QUOTE_EXPIRED')
  return settleOn(now, quote, at)
}

function settleOn(now: RfqStep, quote: Quote, at: number): RfqStep {
  const { requester, side, baseAmount } = now.rfq
  const others = endQuotes(now.rfq, (candidate) => candidate !== quote, 'WITHDRAWN', at)
  const quotes = others.rfq.quotes.map((candidate) =>
    candidate === quote ? { ...quote, status: 'ACCEPTED' as const, updatedAt: at } : candidate,
  )
  const rfq: Rfq = { ...others.rfq, status: 'ACCEPTED', updatedAt: at, quotes }
  const { id, provider, price } = quote
  const told: RfqEvent[] = [
    { kind: 'quoteChanged', quote: id, status: 'ACCEPTED' },
    { kind: 'rfqChanged', status: 'ACCEPTED' },
    {
      kind: 'rfqTrade',
      quote: id,
      maker: provider,
      taker: requester,
      side,
      price,
      quantity: baseAmount,
      notional: notionalDown(baseAmount, price),
      makerLock: providerLock(rfq, provider, price),
      takerLock: requesterLock(rfq, price),
    },
  ]
  return { rfq, events: [...now.events, ...others.events, ...told] }
}

/** A request that has ended stays as it is. */
export function cancelRfq(before: Rfq, requester: string, at: number): RfqOutcome {
  const now = expireRfq(before, at)
  if (requester !== now.rfq.requester) return refuse('FORBIDDEN')
  if (!isOpen(now.rfq)) return now
  const ended = endRfq(now.rfq, 'CANCELLED', 'WITHDRAWN', at)
  return { rfq: ended.rfq, events: [...now.events, ...ended.events] }
}
