import { describe, expect, it } from 'vitest'
import { changes, createScenario, eventsOf, fills, refusal, units } from '../../test/scenario.ts'

const unwind = { kind: 'unwind', trade: 1, reason: 'signature expired' } as const

describe('a failed settlement', () => {
  it('gives a resting order its quantity back at the end of its level', () => {
    const { sell, buy, apply, asks } = createScenario({}, { staged: true })
    sell(2, 10)
    sell(1, 10)
    buy(1, 10)
    const events = apply(unwind)
    expect(events[0]).toEqual({
      kind: 'tradeFailed',
      trade: 1,
      origin: 'CLOB',
      book: 'book',
      takerBook: null,
      makerOrder: 'o1',
      takerOrder: 'o3',
      makerAccount: 'trader 1',
      takerAccount: 'trader 3',
      side: 'BUY',
      price: units(10),
      quantity: units(1),
      notional: units(10),
      buyerPays: units(10),
      reason: 'signature expired',
    })
    expect(eventsOf(events, 'orderChanged')[0]).toMatchObject({
      order: 'o1',
      status: 'OPEN',
      remaining: units(2),
      added: units(1),
    })
    expect(asks()).toEqual([[10, 3]])
    expect(fills(buy(2, 10))).toEqual(['o2 o4 1 at 10', 'o1 o4 1 at 10'])
  })

  it('ends an order that is not there any more, and gives its trader back what it took', () => {
    const { sell, buy, apply } = createScenario({ takerFeeBps: 100 }, { staged: true })
    sell(1, 10)
    buy(1, 10)
    const events = eventsOf(apply(unwind), 'orderChanged')
    expect(changes(events)).toEqual(['o1 CANCELLED SETTLEMENT_FAILED', 'o2 CANCELLED SETTLEMENT_FAILED'])
    expect(events[0]).toMatchObject({ remaining: units(1), added: units(1), released: units(1), reserved: 0 })
    expect(events[1]).toMatchObject({ added: units(10.1), released: units(10.1), reserved: 0 })
  })

  it('leaves an order that ended otherwise as it was, but for what it traded', () => {
    const { sell, buy, apply, cancel } = createScenario({}, { staged: true })
    sell(2, 10)
    buy(1, 10, { timeInForce: 'IOC' })
    cancel('o1')
    expect(changes(apply(unwind))).toEqual(['o1 CANCELLED USER_CANCELLED', 'o2 CANCELLED SETTLEMENT_FAILED'])
  })

  it('finds enough reserved to trade again at the limit, although the first trade was cheaper', () => {
    const { sell, buy, apply } = createScenario({ takerFeeBps: 100 }, { staged: true })
    sell(1, 8)
    buy(2, 10)
    apply(unwind)
    const paid = [sell(1, 10), sell(1, 10)]
      .flatMap((events) => eventsOf(events, 'trade'))
      .map((trade) => trade.buyerPays)
    expect(paid).toEqual([units(10), units(10)])
  })

  it('happens once, and not to a trade that is final', () => {
    const { sell, buy, apply } = createScenario({}, { staged: true })
    sell(2, 10)
    buy(1, 10)
    buy(1, 10)
    apply(unwind)
    expect(refusal(apply(unwind))).toBe('TRADE_NOT_FOUND')
    apply({ kind: 'settle', trade: 2 })
    expect(refusal(apply({ ...unwind, trade: 2 }))).toBe('TRADE_NOT_FOUND')
  })
})

describe('a settled trade', () => {
  it('lets go of what an order saved on the price', () => {
    const { sell, buy, apply } = createScenario({}, { staged: true })
    sell(1, 8)
    const [rested] = eventsOf(buy(2, 10), 'orderChanged').slice(-1)
    expect(rested).toMatchObject({ released: 0, reserved: units(12) })
    const events = apply({ kind: 'settle', trade: 1 })
    expect(eventsOf(events, 'orderChanged')).toMatchObject([{ order: 'o2', released: units(2), reserved: units(10) }])
  })

  it('is forgotten with its orders', () => {
    const { sell, buy, apply, engine } = createScenario({}, { staged: true })
    sell(1, 10)
    buy(1, 10)
    expect(engine.order('o1')).toMatchObject({ status: 'FILLED', unsettled: 1 })
    apply({ kind: 'settle', trade: 1 })
    expect([engine.order('o1'), engine.order('o2')]).toEqual([null, null])
  })

  it('is every trade of a book that stages none', () => {
    const { sell, buy, apply } = createScenario()
    sell(1, 10)
    expect(eventsOf(buy(1, 10), 'trade')).toMatchObject([{ staged: false }])
    expect(refusal(apply({ kind: 'settle', trade: 1 }))).toBe('TRADE_NOT_FOUND')
  })
})
