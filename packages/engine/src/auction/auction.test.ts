import { describe, expect, it } from 'vitest'
import { changes, createScenario, eventsOf, fills, refusal, units } from '../../test/scenario.ts'
import type { BookRules } from '../commands.ts'
import { clearingPrice } from './clearing-price.ts'

const bid = (price: number, remaining: number) => ({ side: 'BUY' as const, price, remaining })
const ask = (price: number, remaining: number) => ({ side: 'SELL' as const, price, remaining })

describe('the clearing price', () => {
  it('trades most', () => {
    expect(clearingPrice([bid(12, 5), bid(10, 5), ask(9, 4), ask(11, 4)], null)).toEqual({ price: 11, volume: 5 })
    expect(clearingPrice([bid(12, 2), bid(10, 9), ask(9, 8), ask(11, 1)], null)).toEqual({ price: 9, volume: 8 })
  })

  it('then leaves less over', () => {
    expect(clearingPrice([bid(12, 5), bid(10, 3), ask(9, 5)], null)).toEqual({ price: 12, volume: 5 })
  })

  it('then is nearest to the reference, and the lower of two that are as near', () => {
    const even = [bid(12, 5), ask(8, 5)]
    expect(clearingPrice(even, 11)).toMatchObject({ price: 12 })
    expect(clearingPrice(even, 10)).toMatchObject({ price: 8 })
    expect(clearingPrice(even, null)).toMatchObject({ price: 8 })
  })

  it('is none where nothing crosses', () => {
    expect(clearingPrice([bid(8, 5), ask(9, 5)], 8)).toBeNull()
    expect(clearingPrice([], null)).toBeNull()
  })
})

describe('an auction', () => {
  const uncross = { kind: 'uncross', book: 'book' } as const
  const opened = (rules: Partial<BookRules> = {}) => {
    const scenario = createScenario(rules)
    scenario.apply({ kind: 'openAuction', book: 'book', auction: 'noon' })
    return scenario
  }

  it('collects orders without showing or matching them', () => {
    const { buy, sell, bids, status } = opened()
    expect(eventsOf(buy(1, 12), 'accepted')).toMatchObject([{ status: 'AUCTION_PENDING' }])
    expect(fills(sell(1, 10))).toEqual([])
    expect([bids(), status('o1')]).toEqual([[], 'AUCTION_PENDING'])
  })

  it('lets go of an order that is cancelled before it ends', () => {
    const { buy, cancel, apply } = opened()
    buy(1, 12)
    buy(1, 11, { account: 'me' })
    expect(changes(cancel('o1'))).toEqual(['o1 CANCELLED USER_CANCELLED'])
    expect(changes(apply({ kind: 'massCancel', account: 'me' }))).toEqual(['o2 CANCELLED MASS_CANCELLED'])
    expect(eventsOf(apply(uncross), 'auctionEnded')).toMatchObject([{ orders: 0 }])
  })

  it('trades at one price, by price and then by time; who came first is the maker', () => {
    const { buy, sell, apply } = opened()
    apply({ kind: 'setReference', book: 'book', price: units(11) })
    buy(1, 11)
    sell(2, 10)
    buy(1, 12)
    buy(1, 11)
    const events = apply(uncross)
    expect(fills(events)).toEqual(['o2 o3 1 at 11', 'o1 o2 1 at 11'])
    expect(eventsOf(events, 'trade')).toMatchObject([{ origin: 'AUCTION', side: 'BUY' }, { side: 'SELL' }])
    expect(eventsOf(events, 'auctionEnded')).toMatchObject([
      { auction: 'noon', outcome: 'CLEARED', price: units(11), volume: units(2), orders: 4 },
    ])
  })

  it('tells what it would clear at now, which is what it clears at', () => {
    const { buy, sell, apply, engine } = opened()
    expect(engine.indicative('book')).toBeNull()
    buy(2, 12)
    expect(engine.indicative('book')).toBeNull()
    sell(1, 10)
    apply({ kind: 'setReference', book: 'book', price: units(12) })
    expect(engine.indicative('book')).toEqual({ price: units(12), volume: units(1) })
    expect(eventsOf(apply(uncross), 'auctionEnded')).toMatchObject([{ price: units(12), volume: units(1) }])
    expect([engine.indicative('book'), engine.indicative('none')]).toEqual([null, null])
  })

  it('rolls what is left to the next auction, or to the book', () => {
    const { buy, apply, status, bids } = opened()
    buy(1, 11)
    apply({ ...uncross, next: 'one' })
    expect(status('o1')).toBe('AUCTION_PENDING')
    expect(changes(apply(uncross))).toEqual(['o1 OPEN'])
    expect(bids()).toEqual([[11, 1]])
  })

  it('or cancels it, as the book says; IOC never stays', () => {
    const { buy, apply } = opened({ rollUnmatched: false })
    buy(1, 11)
    expect(changes(apply(uncross))).toEqual(['o1 CANCELLED AUCTION_UNMATCHED'])
    const rolling = opened()
    rolling.buy(1, 11, { timeInForce: 'IOC' })
    expect(changes(rolling.apply(uncross))).toEqual(['o1 CANCELLED IOC_REMAINDER'])
  })

  it('takes in the orders that rest, and gives buyers back what they saved', () => {
    const { buy, sell, apply } = createScenario()
    buy(2, 12)
    expect(changes(apply({ kind: 'openAuction', book: 'book', auction: 'noon' }))).toEqual(['o1 AUCTION_PENDING'])
    sell(1, 10)
    const events = apply({ ...uncross, next: 'one' })
    expect(fills(events)).toEqual(['o1 o2 1 at 10'])
    expect(eventsOf(events, 'orderChanged').at(-1)).toMatchObject({
      order: 'o1',
      status: 'AUCTION_PENDING',
      released: units(2),
      reserved: units(12),
    })
  })

  it('pairs nobody with himself who asked not to be, nor whom a rule keeps apart', () => {
    const { buy, sell, apply } = opened()
    buy(1, 12, { account: 'me', selfTradePrevention: 'CANCEL_TAKER' })
    sell(1, 10, { account: 'me' })
    buy(1, 12, { vetoes: [{ account: 'me', rule: 'frozen' }] })
    const events = apply({ ...uncross, next: 'one' })
    expect([fills(events), eventsOf(events, 'skipped')]).toMatchObject([[], [{ rule: 'frozen' }]])
    expect(eventsOf(events, 'auctionEnded')).toMatchObject([{ price: null, volume: 0 }])
  })

  it('can be called off: its orders go where those left over go', () => {
    const { buy, apply, bids } = opened()
    buy(1, 11)
    const events = apply({ kind: 'cancelAuction', book: 'book' })
    expect(eventsOf(events, 'auctionEnded')).toMatchObject([{ outcome: 'CANCELLED', price: null }])
    expect(bids()).toEqual([[11, 1]])
  })

  it('takes limit orders only, that can wait', () => {
    const { buy } = opened()
    expect(refusal(buy(1, null))).toBe('PRICE_REQUIRED')
    expect(refusal(buy(1, 10, { postOnly: true }))).toBe('VALIDATION_ERROR')
    expect(refusal(buy(1, 10, { timeInForce: 'FOK' }))).toBe('VALIDATION_ERROR')
  })

  it('is opened once, on an active book, and ended only when it is open', () => {
    const { apply } = opened()
    const open = { kind: 'openAuction', book: 'book', auction: 'again' } as const
    expect(refusal(apply(open))).toBe('AUCTION_OPEN')
    apply(uncross)
    expect(refusal(apply(uncross))).toBe('AUCTION_NOT_OPEN')
    expect(refusal(apply({ kind: 'cancelAuction', book: 'book' }))).toBe('AUCTION_NOT_OPEN')
    apply({ kind: 'updateBook', book: 'book', status: 'PAUSED' })
    expect(refusal(apply(open))).toBe('ORDER_BOOK_INACTIVE')
    for (const command of [open, uncross, { kind: 'cancelAuction' } as const])
      expect(refusal(apply({ ...command, book: 'none' }))).toBe('ORDER_BOOK_NOT_FOUND')
  })
})
