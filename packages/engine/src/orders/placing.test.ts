import { describe, expect, it } from 'vitest'
import { changes, createScenario, eventsOf, fills, refusal, units } from '../../test/scenario.ts'

describe('an order that comes in', () => {
  it('rests when nobody is there, and shows in the depth', () => {
    const { buy, bids, status } = createScenario()
    const events = buy(2, 10)
    expect(eventsOf(events, 'accepted')).toMatchObject([{ order: 'o1', status: 'OPEN', reserved: units(20) }])
    expect(eventsOf(events, 'level')).toMatchObject([{ ladder: 'book', side: 'BUY', price: units(10), orders: 1 }])
    expect([status('o1'), bids()]).toEqual(['OPEN', [[10, 2]]])
  })

  it('takes the best price first, then who came first, each at the price that rests', () => {
    const { buy, sell, asks } = createScenario()
    sell(1, 12)
    sell(1, 11)
    sell(1, 11)
    const events = buy(2.5, 12)
    expect(fills(events)).toEqual(['o2 o4 1 at 11', 'o3 o4 1 at 11', 'o1 o4 0.5 at 12'])
    expect(changes(events)).toEqual(['o2 FILLED', 'o3 FILLED', 'o1 PARTIALLY_FILLED', 'o4 FILLED'])
    expect(asks()).toEqual([[12, 0.5]])
  })

  it('rests with what is left of it, and gets back what it saved on the price', () => {
    const { buy, sell, bids } = createScenario()
    sell(1, 9)
    const events = buy(3, 10)
    expect(eventsOf(events, 'orderChanged').at(-1)).toMatchObject({
      order: 'o2',
      status: 'PARTIALLY_FILLED',
      remaining: units(2),
      released: units(1),
      reserved: units(20),
    })
    expect(bids()).toEqual([[10, 2]])
  })

  it('IOC: ends with what it could not get', () => {
    const { buy, sell } = createScenario()
    sell(1, 10)
    expect(changes(buy(3, 10, { timeInForce: 'IOC' }))).toEqual(['o1 FILLED', 'o2 CANCELLED IOC_REMAINDER'])
  })

  it('FOK: all of it or nothing', () => {
    const { buy, sell, asks } = createScenario()
    sell(1, 10)
    sell(1, 11)
    expect(changes(buy(2, 10, { timeInForce: 'FOK' }))).toEqual(['o3 CANCELLED FOK_UNFILLED'])
    expect(asks()).toEqual([
      [10, 1],
      [11, 1],
    ])
    expect(changes(buy(2, 11, { timeInForce: 'FOK' })).at(-1)).toBe('o4 FILLED')
  })

  it('MARKET: takes any price and never rests', () => {
    const { buy, sell, bids } = createScenario()
    sell(1, 10)
    sell(1, 20)
    const events = buy(3, null)
    expect(eventsOf(events, 'accepted')).toMatchObject([{ reserved: units(30) }])
    expect(changes(events).at(-1)).toBe('o3 CANCELLED MARKET_REMAINDER')
    expect(bids()).toEqual([])
  })

  it('MARKET: stops at the edge of the band, unless it is a liquidation', () => {
    const { buy, sell, apply } = createScenario()
    buy(1, 100)
    buy(1, 50)
    apply({ kind: 'setReference', book: 'book', price: units(100), spreadBps: 1000 })
    expect(fills(sell(2, null))).toEqual(['o1 o3 1 at 100'])
    expect(fills(sell(1, null, { bandExempt: true }))).toEqual(['o2 o4 1 at 50'])
  })

  it('MARKET: spends no more than its budget', () => {
    const { buy, sell } = createScenario({ takerFeeBps: 100 })
    sell(1, 10)
    sell(1, 20)
    const events = buy(2, null, { budget: units(30) })
    expect(fills(events)).toEqual(['o1 o3 1 at 10'])
    expect(eventsOf(events, 'orderChanged').at(-1)).toMatchObject({
      reason: 'BUDGET_SPENT',
      released: units(30 - 10.1),
    })
  })

  it('a rest that is worth less than one unit ends, on either side of a trade', () => {
    const { buy, sell, bids, asks } = createScenario()
    sell(0.000011, 0.1)
    expect(changes(buy(0.00001, 0.1))).toEqual(['o1 CANCELLED TOO_SMALL_TO_TRADE', 'o2 FILLED'])
    sell(0.00001, 0.1)
    expect(changes(buy(0.000011, 0.1))).toEqual(['o3 FILLED', 'o4 CANCELLED TOO_SMALL_TO_TRADE'])
    expect([bids(), asks()]).toEqual([[], []])
  })
})

describe('self-trade prevention', () => {
  const mine = { account: 'me' }
  const prepared = () => {
    const scenario = createScenario()
    scenario.sell(1, 10, mine)
    scenario.sell(1, 10)
    return scenario
  }

  it('NONE: trades with oneself', () => {
    expect(fills(prepared().buy(1, 10, mine))).toEqual(['o1 o3 1 at 10'])
  })

  it('CANCEL_TAKER: stops before the own order', () => {
    const events = prepared().buy(1, 10, { ...mine, selfTradePrevention: 'CANCEL_TAKER' })
    expect(changes(events)).toEqual(['o3 CANCELLED SELF_TRADE_PREVENTION'])
  })

  it('CANCEL_MAKER: takes the own order away and goes on', () => {
    const events = prepared().buy(1, 10, { ...mine, selfTradePrevention: 'CANCEL_MAKER' })
    expect(changes(events)).toEqual(['o1 CANCELLED SELF_TRADE_PREVENTION', 'o2 FILLED', 'o3 FILLED'])
  })

  it('CANCEL_BOTH: ends both', () => {
    const events = prepared().buy(1, 10, { ...mine, selfTradePrevention: 'CANCEL_BOTH' })
    expect(changes(events)).toEqual(['o1 CANCELLED SELF_TRADE_PREVENTION', 'o3 CANCELLED SELF_TRADE_PREVENTION'])
  })

  it('leaves the own order alone when a FOK cannot be filled anyway', () => {
    const scenario = prepared()
    scenario.buy(2, 10, { ...mine, selfTradePrevention: 'CANCEL_MAKER', timeInForce: 'FOK' })
    expect(scenario.status('o1')).toBe('OPEN')
  })
})

describe('a counterparty that must not be', () => {
  const vetoes = [{ account: 'trader 1', rule: 'buyer is not verified' }]

  it('is passed over, with the rule named', () => {
    const { buy, sell, status } = createScenario()
    sell(1, 10)
    sell(1, 11)
    const events = buy(1, 11, { vetoes })
    expect(eventsOf(events, 'skipped')).toEqual([
      { kind: 'skipped', takerOrder: 'o3', makerOrder: 'o1', rule: 'buyer is not verified' },
    ])
    expect(fills(events)).toEqual(['o2 o3 1 at 11'])
    expect(status('o1')).toBe('OPEN')
  })

  it('is never crossed: the rest of the order ends', () => {
    const { buy, sell } = createScenario()
    sell(1, 10)
    expect(changes(buy(1, 11, { vetoes }))).toEqual(['o2 CANCELLED COUNTERPARTY_REFUSED'])
  })

  it('binds both: whoever comes second', () => {
    const { buy, sell } = createScenario()
    buy(1, 11, { vetoes: [{ account: 'trader 2', rule: 'frozen' }] })
    expect(changes(sell(1, 11))).toEqual(['o2 CANCELLED COUNTERPARTY_REFUSED'])
  })
})

describe('an order is refused', () => {
  const rules = { tickSize: units(0.5), lotSize: units(1), minOrderSize: units(2), maxOrderSize: units(100) }
  const refused = (...order: Parameters<ReturnType<typeof createScenario>['buy']>) =>
    refusal(createScenario(rules).buy(...order))

  it('ORDER_BOOK_NOT_FOUND: on a book that is not here', () => {
    expect(refused(2, 10, { book: 'other' })).toBe('ORDER_BOOK_NOT_FOUND')
  })

  it('ORDER_BOOK_INACTIVE: on a paused or closed book', () => {
    for (const status of ['PAUSED', 'CLOSED'] as const) {
      const { apply, buy } = createScenario()
      apply({ kind: 'updateBook', book: 'book', status })
      expect(refusal(buy(1, 10))).toBe('ORDER_BOOK_INACTIVE')
    }
  })

  it('DUPLICATE_ORDER: with the id of an order that is known', () => {
    const { buy } = createScenario()
    buy(1, 10)
    expect(refusal(buy(1, 10, { order: 'o1' }))).toBe('DUPLICATE_ORDER')
  })

  it('PRICE_REQUIRED: a limit order without a limit', () => {
    expect(refused(2, null, { type: 'LIMIT' })).toBe('PRICE_REQUIRED')
  })

  it('INVALID_QUANTITY: nothing, less, beyond the largest, or between two lots', () => {
    for (const quantity of [0, -1, 2n ** 63n, 1.5]) expect(refused(1, 10, { quantity })).toBe('INVALID_QUANTITY')
    const [event] = createScenario(rules).buy(2.5, 10)
    expect(event).toMatchObject({ code: 'INVALID_QUANTITY', details: { step: units(1) } })
  })

  it('ORDER_TOO_SMALL: below the smallest size, or worth less than one unit', () => {
    expect(refused(1, 10)).toBe('ORDER_TOO_SMALL')
    expect(refusal(createScenario().buy(0.000009, 0.1))).toBe('ORDER_TOO_SMALL')
    const { sell, buy } = createScenario()
    sell(1, 0.1)
    expect(refusal(buy(0.000009, null))).toBe('ORDER_TOO_SMALL')
  })

  it('ORDER_TOO_LARGE: above the largest size, or costing more than an amount can be', () => {
    expect(refused(101, 10)).toBe('ORDER_TOO_LARGE')
    const { buy } = createScenario({ takerFeeBps: 1 })
    expect(refusal(buy(1, 1, { quantity: 2n ** 63n - 1n }))).toBe('ORDER_TOO_LARGE')
  })

  it('INVALID_PRICE: nothing, less, or between two ticks', () => {
    for (const price of [0, -1, 2n ** 63n]) expect(refused(2, 1, { price })).toBe('INVALID_PRICE')
    const [event] = createScenario(rules).buy(2, 10.2)
    expect(event).toMatchObject({ code: 'INVALID_PRICE', details: { step: units(0.5) } })
  })

  it('INVALID_ORDER_EXPIRY: already over', () => {
    expect(refused(2, 10, { expiresAt: 1 })).toBe('INVALID_ORDER_EXPIRY')
    expect(refused(2, 10, { expiresAt: 0 })).toBe('INVALID_ORDER_EXPIRY')
  })

  it('PRICE_OUTSIDE_BAND: with the band it missed', () => {
    const { apply, buy } = createScenario()
    apply({ kind: 'setReference', book: 'book', price: units(100), spreadBps: 100 })
    expect([refusal(buy(1, 99)), refusal(buy(1, 101))]).toEqual([null, null])
    expect(buy(1, 98.999999)).toMatchObject([
      {
        code: 'PRICE_OUTSIDE_BAND',
        details: { referencePrice: units(100), lowerBound: units(99), upperBound: units(101), spreadBps: 100 },
      },
    ])
    expect(refusal(buy(1, 50, { bandExempt: true }))).toBeNull()
  })

  it('POST_ONLY_WOULD_CROSS: it would take', () => {
    const { sell, buy } = createScenario()
    sell(1, 10)
    expect(refusal(buy(1, 10, { postOnly: true }))).toBe('POST_ONLY_WOULD_CROSS')
    expect(refusal(buy(1, 9, { postOnly: true }))).toBeNull()
  })

  it('NO_LIQUIDITY: a market order with nobody on the other side', () => {
    expect(refused(2, null)).toBe('NO_LIQUIDITY')
  })

  it('FEE_ABOVE_LIMIT: the fee could be more than its trader signed', () => {
    const { buy } = createScenario({ makerFeeBps: 10, takerFeeBps: 100 })
    expect(refusal(buy(1, 100, { maxFee: units(0.99) }))).toBe('FEE_ABOVE_LIMIT')
    expect(refusal(buy(1, 100, { maxFee: units(1) }))).toBeNull()
  })

  it('VALIDATION_ERROR: words that do not go together', () => {
    expect(refused(2, 10, { postOnly: true, timeInForce: 'IOC' })).toBe('VALIDATION_ERROR')
    expect(refused(2, 10, { type: 'MARKET' })).toBe('VALIDATION_ERROR')
    expect(refused(2, null, { postOnly: true })).toBe('VALIDATION_ERROR')
    expect(refused(2, 10, { budget: 1 })).toBe('VALIDATION_ERROR')
    expect(refused(2, null, { budget: -1 })).toBe('VALIDATION_ERROR')
    expect(refused(2, 10, { maxFee: -1 })).toBe('VALIDATION_ERROR')
    expect(refusal(createScenario().sell(2, null, { budget: 1 }))).toBe('VALIDATION_ERROR')
  })
})
