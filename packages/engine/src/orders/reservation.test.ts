import { describe, expect, it } from 'vitest'
import { createScenario, eventsOf, units } from '../../test/scenario.ts'
import type { Place } from '../commands.ts'

const order: Place = {
  kind: 'place',
  at: 1,
  order: 'x',
  book: 'book',
  account: 'me',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: units(10),
  quantity: units(3),
}

describe('what an order needs reserved', () => {
  it('is base for a sell', () => {
    const { engine } = createScenario({ takerFeeBps: 100 })
    expect(engine.reservationFor({ ...order, side: 'SELL' })).toEqual({ asset: 'BASE', amount: units(3) })
  })

  it('is the notional and the largest fee for a buy, be it maker or taker', () => {
    const { engine } = createScenario({ takerFeeBps: 100, makerFeeBps: 200 })
    expect(engine.reservationFor(order)).toEqual({ asset: 'QUOTE', amount: units(30.6) })
  })

  it('is what the depth costs for a market buy', () => {
    const { engine, sell } = createScenario({ takerFeeBps: 100 })
    sell(1, 10)
    sell(1, 20)
    const { price, ...market } = { ...order, type: 'MARKET' as const }
    expect(engine.reservationFor({ ...market, quantity: units(2) })).toEqual({ asset: 'QUOTE', amount: units(30.4) })
  })

  it('is nothing for an order that will be refused', () => {
    const { engine } = createScenario()
    expect(engine.reservationFor({ ...order, quantity: 0 })).toBeNull()
    expect(engine.reservationFor({ ...order, book: 'other' })).toBeNull()
  })

  it('is the difference for more of an order, and nothing for less', () => {
    const { engine, buy } = createScenario({ takerFeeBps: 100 })
    buy(2, 10)
    const more = { kind: 'amend', at: 1, order: 'o1', quantity: units(3) } as const
    expect(engine.reservationFor(more)).toEqual({ asset: 'QUOTE', amount: units(10.1) })
    expect(engine.reservationFor({ ...more, quantity: units(1) })).toBeNull()
    expect(engine.reservationFor({ ...more, order: 'none' })).toBeNull()
  })
})

describe('a reservation', () => {
  it('is spent by trades and freed to the last unit when the order ends', () => {
    const { sell, buy, cancel } = createScenario({ takerFeeBps: 37, makerFeeBps: 11 })
    const [accepted] = eventsOf(buy(1.234567, 7.654321), 'accepted')
    let left = Number(accepted?.reserved)
    for (const quantity of [0.111111, 0.222222, 0.333333])
      for (const { buyerPays } of eventsOf(sell(quantity, 7), 'trade')) left -= Number(buyerPays)
    const [ended] = eventsOf(cancel('o1'), 'orderChanged')
    expect(ended).toMatchObject({ released: left, reserved: 0 })
  })

  it('covers the fee of every fill, however the order is cut', () => {
    const { sell, buy, status } = createScenario({ takerFeeBps: 1000, makerFeeBps: 1000 })
    buy(0.000099, 3.3)
    for (let fill = 0; fill < 33; fill += 1) sell(0.000003, 3.3)
    expect(status('o1')).toBeNull()
  })
})
