import { describe, expect, it } from 'vitest'
import { createScenario, eventsOf, refusal, units } from '../../test/scenario.ts'
import { restoreEngine } from '../engine.ts'

const agreed = {
  kind: 'report',
  book: 'book',
  makerOrder: 'quote',
  takerOrder: 'acceptance',
  makerAccount: 'provider',
  takerAccount: 'requester',
  side: 'BUY',
  price: units(10),
  quantity: units(2),
} as const

describe('a trade that was agreed elsewhere', () => {
  it('is counted with the others, costs no fee and touches no order', () => {
    const { sell, buy, apply, asks } = createScenario({ takerFeeBps: 100, makerFeeBps: 100 })
    sell(2, 10)
    buy(1, 10)
    const { kind, ...terms } = agreed
    expect(apply(agreed)).toEqual([
      {
        kind: 'trade',
        ...terms,
        trade: 2,
        origin: 'RFQ',
        takerBook: null,
        notional: units(20),
        makerFee: 0,
        takerFee: 0,
        makerFeeQuote: 0,
        takerFeeQuote: 0,
        buyerPays: units(20),
        sellerGets: units(20),
        staged: false,
      },
    ])
    expect(asks()).toEqual([[10, 1]])
  })

  it('is settled or fails once, and has nothing to give back to', () => {
    const { apply, engine } = createScenario({}, { staged: true })
    for (let count = 0; count < 2; count += 1)
      expect(eventsOf(apply(agreed), 'trade')).toMatchObject([{ staged: true }])
    const restored = restoreEngine(engine.snapshot())
    expect(restored.snapshot()).toBe(engine.snapshot())
    expect(restored.apply({ kind: 'settle', at: 9, trade: 1 })).toMatchObject([
      { kind: 'tradeSettled', trade: 1, origin: 'RFQ', makerAccount: 'provider', buyerPays: units(20) },
    ])
    const unwind = { kind: 'unwind', trade: 2, reason: 'cancelled' } as const
    expect(apply(unwind)).toMatchObject([
      { kind: 'tradeFailed', trade: 2, reason: 'cancelled', takerOrder: 'acceptance' },
    ])
    expect(refusal(apply(unwind))).toBe('TRADE_NOT_FOUND')
  })

  it('is refused where the book does not trade, or the amounts are none', () => {
    const { apply } = createScenario({ lotSize: 1000 })
    const refused = (change: object) => refusal(apply({ ...agreed, ...change }))
    expect(refused({ book: 'none' })).toBe('ORDER_BOOK_NOT_FOUND')
    expect(refused({ quantity: 0 })).toBe('INVALID_QUANTITY')
    expect(refused({ quantity: 1001 })).toBe('INVALID_QUANTITY')
    expect(refused({ price: -1 })).toBe('INVALID_PRICE')
    expect(refused({ price: 1, quantity: 1000 })).toBe('ORDER_TOO_SMALL')
    expect(refused({ price: 2n ** 62n, quantity: 1_000_000 })).toBeNull()
    expect(refused({ price: 2n ** 62n, quantity: 2_000_000 })).toBe('ORDER_TOO_LARGE')
    apply({ kind: 'updateBook', book: 'book', status: 'PAUSED' })
    expect(refused({})).toBe('ORDER_BOOK_INACTIVE')
  })
})
