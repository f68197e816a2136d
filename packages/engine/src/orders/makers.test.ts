import { describe, expect, it } from 'vitest'
import { changes, createScenario, units } from '../../test/scenario.ts'
import type { Place } from '../commands.ts'

const order = (quantity: number, change: Partial<Place> = {}): Place => ({
  kind: 'place',
  at: 2,
  order: 'new',
  book: 'book',
  account: 'me',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: units(12),
  quantity: units(quantity),
  ...change,
})

describe('whom an order would meet', () => {
  function offered() {
    const scenario = createScenario()
    scenario.sell(1, 11)
    scenario.sell(2, 10)
    scenario.sell(5, 12)
    scenario.sell(5, 13)
    const met = (placed: Place) =>
      scenario.engine.makersFor(placed).map(({ order, quantity }) => `${order} ${Number(quantity) / 1e6}`)
    return { ...scenario, met }
  }

  it('is whoever rests within its limit, best first, as deep as it goes', () => {
    const { engine, met } = offered()
    const before = engine.stateHash()
    expect(met(order(2.5))).toEqual(['o2 2', 'o1 0.5'])
    expect(met(order(100))).toEqual(['o2 2', 'o1 1', 'o3 5'])
    expect(engine.makersFor(order(1))).toEqual([
      { order: 'o2', account: 'trader 2', book: 'book', price: units(10), quantity: units(1) },
    ])
    expect(engine.stateHash()).toBe(before)
  })

  it('includes those it must pass over, and goes deeper for them', () => {
    const { met } = offered()
    const vetoes = [{ account: 'trader 2', rule: 'frozen' }]
    expect(met(order(2, { vetoes }))).toEqual(['o2 0', 'o1 1', 'o3 1'])
  })

  it('is nobody for an order that is refused, collected, or cannot be filled whole', () => {
    const { met, apply } = offered()
    expect(met(order(1, { postOnly: true }))).toEqual([])
    expect(met(order(1, { book: 'none' }))).toEqual([])
    expect(met(order(9, { timeInForce: 'FOK' }))).toEqual([])
    expect(met(order(8, { timeInForce: 'FOK' }))).toEqual(['o2 2', 'o1 1', 'o3 5'])
    apply({ kind: 'openAuction', book: 'book', auction: 'noon' })
    expect(met(order(1))).toEqual([])
  })

  it('is not its own trader, and not who has expired by then', () => {
    const { met, sell } = offered()
    sell(1, 9, { account: 'me' })
    sell(1, 9, { expiresAt: 50 })
    expect(met(order(1, { selfTradePrevention: 'CANCEL_TAKER' }))).toEqual([])
    expect(met(order(1, { selfTradePrevention: 'CANCEL_MAKER' }))).toEqual(['o6 1'])
    expect(met(order(1, { selfTradePrevention: 'CANCEL_MAKER', at: 50 }))).toEqual(['o2 1'])
  })

  it('is asked of the levels that are left by then, whether or not those before them were ended', () => {
    const { engine, met, sell, buy } = offered()
    sell(1, 0.5, { expiresAt: 50 })
    const { price, ...market } = order(0.000001, { type: 'MARKET' })
    // Worth nothing at the price that ends.
    expect(met(market)).toEqual([])
    expect(met({ ...market, at: 50 })).toEqual(['o2 0.000001'])
    buy(1, 0.4, { expiresAt: 60 })
    const passive = order(1, { side: 'SELL', price: units(0.4), postOnly: true })
    expect(engine.reservationFor(passive)).toBeNull()
    expect(engine.reservationFor({ ...passive, at: 60 })).toEqual({ asset: 'BASE', amount: units(1) })
    sell(1, 20, { postOnly: true, expiresAt: 80 })
    const amended = { kind: 'amend', at: 0, order: 'o7', price: units(0.4), quantity: units(3) } as const
    expect(engine.reservationFor(amended)).toBeNull()
    expect(engine.reservationFor({ ...amended, at: 60 })).toEqual({ asset: 'BASE', amount: units(2) })
    expect(engine.reservationFor({ ...amended, at: 80 })).toBeNull()
  })
})

describe('the next moment an order expires', () => {
  it('is that of the earliest one that still lives', () => {
    const { buy, cancel, engine, apply } = createScenario()
    expect(engine.nextExpiry()).toBeNull()
    buy(1, 10, { expiresAt: 100 })
    buy(1, 10, { expiresAt: 70 })
    buy(1, 10)
    expect(engine.nextExpiry()).toBe(70)
    cancel('o2')
    expect(engine.nextExpiry()).toBe(100)
    expect(changes(apply({ kind: 'cancel', order: 'o1', reason: 'NONCE_INVALIDATED' }))).toEqual([
      'o1 CANCELLED NONCE_INVALIDATED',
    ])
    expect(engine.nextExpiry()).toBeNull()
  })
})
