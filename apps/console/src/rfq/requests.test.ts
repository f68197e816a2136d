import { describe, expect, it } from 'vitest'
import type { Quote, Request, RequestNotice } from '../api/rfq.ts'
import { isAlive, ranked, withNotice } from './requests.ts'

const NOW = Date.parse('2026-11-17T05:00:00.000Z')
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const wallet = `0x${'1'.repeat(40)}` as const

const quote = (id: string, price: string, more: Partial<Quote> = {}): Quote => ({
  ...{ id, quoteRequestId: 'r', lpAddress: wallet, lpAccountId: null, price, validUntil: at(10), lockId: null },
  ...{ status: 'ACTIVE', createdAt: at(0), updatedAt: at(0), ...more },
})
const request = (quotes: readonly Quote[], more: Partial<Request> = {}): Request => ({
  ...{ id: 'r', instanceId: 'i', requesterAddress: wallet, baseToken: wallet, quoteToken: wallet },
  ...{ custodyContract: wallet, side: 'SELL', baseAmount: '1', status: 'QUOTED', expiresAt: at(20) },
  ...{ createdAt: at(0), updatedAt: at(0), quotes, ...more },
})
const notice = (record: RequestNotice['record']): RequestNotice => ({
  ...{ type: 'notice', id: '1', kind: 'RFQ', rfqId: 'r', quoteId: null, status: 's', record, createdAt: at(0) },
})

describe('requests for quote', () => {
  it('rank quotes that can still be accepted, the best for the requester first', () => {
    const quotes = [quote('a', '9'), quote('b', '10'), quote('c', '11', { status: 'WITHDRAWN' }), quote('d', '12')]
    const late = [...quotes, quote('e', '99', { validUntil: at(-1) })]
    expect(ranked(request(late), NOW).map(({ id }) => id)).toEqual(['d', 'b', 'a'])
    expect(ranked(request(late, { side: 'BUY' }), NOW).map(({ id }) => id)).toEqual(['a', 'b', 'd'])
  })

  it('are over at their time, whatever was last heard of them', () => {
    expect([isAlive(request([]), NOW), isAlive(request([]), NOW + 20_000)]).toEqual([true, false])
    expect(isAlive(request([], { status: 'ACCEPTED' }), NOW)).toBe(false)
  })

  it('take what the stream says: new ones, changed ones, quotes; nothing goes back in time', () => {
    const { quotes: _, ...plain } = request([], { id: 'new' })
    expect(withNotice([request([])], notice(plain)).map(({ id }) => id)).toEqual(['new', 'r'])
    const [quoted] = withNotice([request([quote('a', '9')])], notice(quote('a', '9', { status: 'WITHDRAWN' })))
    expect(quoted?.quotes).toMatchObject([{ id: 'a', status: 'WITHDRAWN' }])
    const known = request([quote('a', '9')], { status: 'ACCEPTED', updatedAt: at(5) })
    const { quotes: __, ...older } = request([])
    expect(withNotice([known], notice(older))).toEqual([known])
    const [accepted] = withNotice(
      [request([quote('a', '9')])],
      notice({ ...older, status: 'ACCEPTED', updatedAt: at(9) }),
    )
    expect([accepted?.status, accepted?.quotes.length]).toEqual(['ACCEPTED', 1])
  })
})
