import { describe, expect, it } from 'vitest'
import { createScenario, eventsOf, units } from '../../test/scenario.ts'

describe('fees', () => {
  it('are recorded in base and collected in quote', () => {
    const { sell, buy } = createScenario({ makerFeeBps: 5, takerFeeBps: 15 })
    sell(2.5, 40)
    const [trade] = eventsOf(buy(2.5, 40), 'trade')
    expect(trade).toMatchObject({
      notional: 100_000_000,
      takerFee: 3750,
      takerFeeQuote: 150_000,
      makerFee: 1250,
      makerFeeQuote: 50_000,
      buyerPays: 100_150_000,
      sellerGets: 99_950_000,
    })
  })

  it('of an order in many fills are those of one', () => {
    const pieces = createScenario({ takerFeeBps: 37 })
    const whole = createScenario({ takerFeeBps: 37 })
    for (let piece = 0; piece < 100; piece += 1) pieces.sell(0.000137, 77.7)
    whole.sell(0.0137, 77.7)
    const paid = ({ buy }: typeof whole) => {
      const trades = eventsOf(buy(0.0137, 77.7), 'trade')
      const sum = (fee: 'takerFee' | 'takerFeeQuote') => trades.reduce((total, trade) => total + Number(trade[fee]), 0)
      return [sum('takerFee'), sum('takerFeeQuote')]
    }
    expect(paid(pieces)).toEqual(paid(whole))
  })

  it('of a maker in many fills are those of one', () => {
    const { sell, buy } = createScenario({ makerFeeBps: 37 })
    sell(0.0137, 77.7)
    const fees = Array.from({ length: 100 }, () => eventsOf(buy(0.000137, 77.7), 'trade')[0]?.makerFeeQuote)
    expect(fees.reduce((total: number, fee) => total + Number(fee), 0)).toBe(3885)
    expect(Math.floor((Math.floor(13_700 * 0.0037) * 77_700_000) / 1e6)).toBe(3885)
  })

  it('are those of the book when the order was accepted, at most', () => {
    const { sell, buy, apply } = createScenario({ makerFeeBps: 10 })
    sell(1, 100)
    apply({ kind: 'updateBook', book: 'book', rules: { makerFeeBps: 100 } })
    expect(eventsOf(buy(0.5, 100), 'trade')[0]).toMatchObject({ makerFeeQuote: units(0.05) })
    apply({ kind: 'updateBook', book: 'book', rules: { makerFeeBps: 4 } })
    expect(eventsOf(buy(0.5, 100), 'trade')[0]).toMatchObject({ makerFeeQuote: units(0.02) })
  })

  it('stay within what the trader signed, also when the price turns out better', () => {
    const { sell, buy } = createScenario({ takerFeeBps: 100 })
    buy(1, 200)
    expect(eventsOf(sell(1, 100, { maxFee: units(1.5) }), 'trade')[0]).toMatchObject({ takerFeeQuote: units(1.5) })
  })

  it('of a fill are at most its share of what the trader signed, whichever fills come to pass', () => {
    const { buy, sell, apply } = createScenario({ takerFeeBps: 100 }, { staged: true })
    for (const price of [300, 200, 100]) buy(1, price)
    const trades = eventsOf(sell(3, 100, { maxFee: 4_000_001 }), 'trade')
    expect(trades.map(({ takerFeeQuote }) => takerFeeQuote)).toEqual([1_333_333, 1_333_333, 1_000_000])
    apply({ kind: 'unwind', trade: 1, reason: 'signature expired' })
    buy(1, 300)
    expect(eventsOf(sell(1, 100, { maxFee: units(2) }), 'trade')[0]).toMatchObject({ takerFeeQuote: units(2) })
  })

  it('share what was signed by the quantity that was placed, also when it is less by now', () => {
    const { buy, sell, apply } = createScenario({ makerFeeBps: 100 })
    sell(4, 100, { maxFee: units(4) })
    apply({ kind: 'amend', order: 'o1', quantity: units(2) })
    apply({ kind: 'updateBook', book: 'book', rules: { makerFeeBps: 1000 } })
    expect(eventsOf(buy(2, 100), 'trade')[0]).toMatchObject({ makerFeeQuote: units(2) })
  })

  it('never leave a seller owing', () => {
    const { sell, buy } = createScenario({ makerFeeBps: 1000 })
    sell(0.00002, 1.9)
    for (let fill = 0; fill < 20; fill += 1)
      for (const { sellerGets } of eventsOf(buy(0.000001, 1.9), 'trade')) expect(sellerGets).toBeGreaterThanOrEqual(0)
  })
})

describe('a rebate', () => {
  const rules = { takerFeeBps: 10, makerFeeBps: 5, mmMakerRebateBps: -4 }

  it('is paid to a market maker out of the fee of the taker', () => {
    const { sell, buy } = createScenario(rules)
    sell(1, 100, { marketMaker: true })
    const [trade] = eventsOf(buy(1, 100), 'trade')
    expect(trade).toMatchObject({ makerFee: -400, makerFeeQuote: -40_000, takerFeeQuote: 100_000 })
    expect(trade).toMatchObject({ buyerPays: 100_100_000, sellerGets: 100_040_000 })
  })

  it('is never more than that fee', () => {
    const { sell, buy } = createScenario({ ...rules, mmMakerRebateBps: -40 })
    sell(1, 100, { marketMaker: true })
    expect(eventsOf(buy(1, 100), 'trade')[0]).toMatchObject({ makerFeeQuote: -100_000, takerFeeQuote: 100_000 })
  })

  it('is not for everybody', () => {
    const { sell, buy } = createScenario(rules)
    sell(1, 100)
    expect(eventsOf(buy(1, 100), 'trade')[0]).toMatchObject({ makerFeeQuote: 50_000 })
  })

  it('is not paid across instances', () => {
    const { sell, buy, open } = createScenario(rules, { pooled: true })
    open('peer', rules, { instance: 'two', pooled: true })
    sell(1, 100, { marketMaker: true })
    const [trade] = eventsOf(buy(1, 100, { book: 'peer' }), 'trade')
    expect(trade).toMatchObject({ book: 'book', takerBook: 'peer', makerFeeQuote: 0, takerFeeQuote: 100_000 })
  })
})
