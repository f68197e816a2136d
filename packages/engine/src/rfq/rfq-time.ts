import type { RfqEvent, RfqStep } from './rfq-events.ts'
import { providerLock } from './rfq-locks.ts'
import { isOpen, type Quote, type QuoteStatus, type Rfq, type RfqStatus } from './rfq-state.ts'

/** Ends active quotes, frees what they locked, and says so. */
export function endQuotes(rfq: Rfq, isMeant: (quote: Quote) => boolean, status: QuoteStatus, at: number): RfqStep {
  const events: RfqEvent[] = []
  const quotes = rfq.quotes.map((quote) => {
    if (quote.status !== 'ACTIVE' || !isMeant(quote)) return quote
    events.push({ kind: 'quoteChanged', quote: quote.id, status })
    events.push({ kind: 'released', quote: quote.id, lock: providerLock(rfq, quote.provider, quote.price) })
    return { ...quote, status, updatedAt: at }
  })
  return { rfq: events.length === 0 ? rfq : { ...rfq, quotes, updatedAt: at }, events }
}

export function endRfq(rfq: Rfq, status: RfqStatus, quoteStatus: QuoteStatus, at: number): RfqStep {
  const ended = endQuotes(rfq, () => true, quoteStatus, at)
  return { rfq: { ...ended.rfq, status, updatedAt: at }, events: [...ended.events, { kind: 'rfqChanged', status }] }
}

/** Open requests are quoted while a quote is active, and pending otherwise. */
export function withStatus({ rfq, events }: RfqStep, at: number): RfqStep {
  const status = rfq.quotes.some((quote) => quote.status === 'ACTIVE') ? 'QUOTED' : 'PENDING'
  if (status === rfq.status) return { rfq, events }
  return { rfq: { ...rfq, status, updatedAt: at }, events: [...events, { kind: 'rfqChanged', status }] }
}

/** What time has made of a request: every read and every step begins here, so no sweeper has to be in time. */
export function expireRfq(rfq: Rfq, at: number): RfqStep {
  if (!isOpen(rfq)) return { rfq, events: [] }
  if (at >= rfq.expiresAt) return endRfq(rfq, 'EXPIRED', 'EXPIRED', at)
  return withStatus(
    endQuotes(rfq, (quote) => at >= quote.validUntil, 'EXPIRED', at),
    at,
  )
}
