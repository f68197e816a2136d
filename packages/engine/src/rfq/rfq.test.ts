import { describe, expect, it } from 'vitest'
import { units } from '../../test/scenario.ts'
import { acceptQuote, cancelRfq, openRfq, submitQuote, withdrawQuote } from './rfq.ts'
import type { RfqOutcome, RfqStep } from './rfq-events.ts'
import type { Rfq } from './rfq-state.ts'
import { expireRfq } from './rfq-time.ts'

function done(outcome: RfqOutcome): RfqStep {
  if ('code' in outcome) throw new Error(outcome.code)
  return outcome
}
const code = (outcome: RfqOutcome) => ('code' in outcome ? outcome.code : null)

const asked = { id: 'r', requester: 'me', side: 'BUY', baseAmount: units(5), at: 1000 } as const
const open = (more: Partial<Parameters<typeof openRfq>[0]> = {}): Rfq => done(openRfq({ ...asked, ...more })).rfq
const quote = (rfq: Rfq, id: string, provider: string, price: number, more: object = {}) =>
  submitQuote(rfq, { id, provider, price: units(price), at: 2000, ...more })
const statuses = ({ quotes }: Rfq) => quotes.map(({ id, status }) => `${id} ${status}`)

describe('a request for quote', () => {
  it('lives 5 to 60 seconds, 30 when not said', () => {
    expect(open().expiresAt).toBe(31_000)
    expect(open({ lifetimeMs: 1 }).expiresAt).toBe(6_000)
    expect(open({ lifetimeMs: 1e9 }).expiresAt).toBe(61_000)
    expect(code(openRfq({ ...asked, baseAmount: 0 }))).toBe('INVALID_QUANTITY')
  })

  it('is quoted while a quote is active, and pending again when the last one goes', () => {
    const quoted = done(quote(open(), 'q', 'lp', 10)).rfq
    expect(quoted.status).toBe('QUOTED')
    const { rfq, events } = done(withdrawQuote(quoted, 'q', 'lp', 3000))
    expect([rfq.status, statuses(rfq)]).toEqual(['PENDING', ['q WITHDRAWN']])
    expect(events.map(({ kind }) => kind)).toEqual(['quoteChanged', 'released', 'rfqChanged'])
  })

  it('is accepted once, with one quote; the others are freed', () => {
    const two = done(quote(done(quote(open(), 'a', 'ann', 10)).rfq, 'b', 'bob', 11)).rfq
    const { rfq, events } = done(acceptQuote(two, 'b', 'me', 3000))
    expect([rfq.status, statuses(rfq)]).toEqual(['ACCEPTED', ['a WITHDRAWN', 'b ACCEPTED']])
    expect(events.at(-1)).toEqual({
      kind: 'rfqTrade',
      quote: 'b',
      maker: 'bob',
      taker: 'me',
      side: 'BUY',
      price: units(11),
      quantity: units(5),
      notional: units(55),
      makerLock: { account: 'bob', asset: 'BASE', amount: units(5) },
      takerLock: { account: 'me', asset: 'QUOTE', amount: units(55) },
    })
    expect(code(acceptQuote(rfq, 'a', 'me', 3000))).toBe('RFQ_EXPIRED')
    expect(code(quote(rfq, 'c', 'cem', 9))).toBe('RFQ_EXPIRED')
  })

  it('mirrors its locks when it sells', () => {
    const quoted = done(quote(open({ side: 'SELL' }), 'q', 'lp', 10))
    expect(quoted.events[0]).toMatchObject({
      kind: 'locked',
      lock: { account: 'lp', asset: 'QUOTE', amount: units(50) },
    })
    const { events } = done(acceptQuote(quoted.rfq, 'q', 'me', 3000))
    expect(events.at(-1)).toMatchObject({ takerLock: { account: 'me', asset: 'BASE', amount: units(5) } })
  })

  it('ends at its deadline, with all its quotes, whether or not somebody sweeps', () => {
    const quoted = done(quote(open(), 'q', 'lp', 10)).rfq
    expect(expireRfq(quoted, 30_999).rfq.status).toBe('QUOTED')
    const { rfq, events } = expireRfq(quoted, 31_000)
    expect([rfq.status, statuses(rfq)]).toEqual(['EXPIRED', ['q EXPIRED']])
    expect(events.map(({ kind }) => kind)).toEqual(['quoteChanged', 'released', 'rfqChanged'])
    expect(code(acceptQuote(quoted, 'q', 'me', 31_000))).toBe('RFQ_EXPIRED')
    expect(expireRfq(rfq, 99_000)).toEqual({ rfq, events: [] })
  })

  it('is cancelled by its requester, and stays as it is once it has ended', () => {
    const quoted = done(quote(open(), 'q', 'lp', 10)).rfq
    expect(code(cancelRfq(quoted, 'you', 3000))).toBe('FORBIDDEN')
    const { rfq } = done(cancelRfq(quoted, 'me', 3000))
    expect([rfq.status, statuses(rfq)]).toEqual(['CANCELLED', ['q WITHDRAWN']])
    expect(done(cancelRfq(rfq, 'me', 4000))).toEqual({ rfq, events: [] })
    expect(done(cancelRfq(quoted, 'me', 40_000)).rfq.status).toBe('EXPIRED')
  })
})

describe('a quote', () => {
  it('takes the place of the older one of its provider', () => {
    const { rfq, events } = done(quote(done(quote(open(), 'a', 'lp', 10)).rfq, 'b', 'lp', 9))
    expect(statuses(rfq)).toEqual(['a WITHDRAWN', 'b ACTIVE'])
    expect(events.map(({ kind }) => kind)).toEqual(['quoteChanged', 'released', 'locked', 'quoteChanged'])
  })

  it('is valid no longer than the request', () => {
    expect(done(quote(open(), 'q', 'lp', 10, { validUntil: 1e9 })).rfq.quotes[0]?.validUntil).toBe(31_000)
  })

  it('ends at its own moment', () => {
    const quoted = done(quote(open(), 'q', 'lp', 10, { validUntil: 5000 })).rfq
    expect(expireRfq(quoted, 5000).rfq).toMatchObject({ status: 'PENDING', quotes: [{ status: 'EXPIRED' }] })
    expect(code(acceptQuote(quoted, 'q', 'me', 5000))).toBe('QUOTE_EXPIRED')
    expect(code(withdrawQuote(quoted, 'q', 'lp', 5000))).toBe('QUOTE_EXPIRED')
  })

  it('is refused from the requester, without worth, over at once, or twice', () => {
    const rfq = done(quote(open(), 'q', 'lp', 10)).rfq
    expect(code(quote(rfq, 'x', 'me', 10))).toBe('FORBIDDEN')
    expect(code(quote(rfq, 'x', 'lp', 0))).toBe('INVALID_PRICE')
    expect(code(quote(open({ baseAmount: 1 }), 'x', 'lp', 0.5))).toBe('INVALID_PRICE')
    expect(code(quote(rfq, 'x', 'lp', 10, { validUntil: 2000 }))).toBe('INVALID_PARAM')
    expect(code(quote(rfq, 'q', 'bob', 10))).toBe('INVALID_PARAM')
  })

  it('is accepted by the requester alone, and withdrawn by its provider alone', () => {
    const rfq = done(quote(open(), 'q', 'lp', 10)).rfq
    expect(code(acceptQuote(rfq, 'q', 'you', 3000))).toBe('FORBIDDEN')
    expect(code(acceptQuote(rfq, 'x', 'me', 3000))).toBe('NOT_FOUND')
    expect(code(withdrawQuote(rfq, 'q', 'bob', 3000))).toBe('FORBIDDEN')
    expect(code(withdrawQuote(rfq, 'x', 'lp', 3000))).toBe('NOT_FOUND')
  })
})
