import { describe, expect, it } from 'vitest'
import { changes, createScenario, eventsOf, fills, plainRules, refusal, units } from '../../test/scenario.ts'

describe('a book', () => {
  it('is told whenever it changes', () => {
    const { apply } = createScenario()
    const events = apply({ kind: 'updateBook', book: 'book', status: 'PAUSED', rules: { takerFeeBps: 7 } })
    const rules = { ...plainRules, takerFeeBps: 7 }
    expect(events).toEqual([
      { kind: 'bookChanged', book: 'book', status: 'PAUSED', pooled: false, auction: null, rules },
    ])
  })

  it('is refused twice, with one token on both sides, or with rules out of bounds', () => {
    const { open } = createScenario()
    expect(refusal(open('book'))).toBe('ORDER_BOOK_EXISTS')
    expect(refusal(open('other', {}, { base: 'cash' }))).toBe('INVALID_PAIR')
    for (const rules of [{ tickSize: 0 }, { makerFeeBps: 1001 }, { takerFeeBps: -1 }, { mmMakerRebateBps: -1001 }])
      expect(refusal(open('other', rules))).toBe('INVALID_CONFIG')
    expect(refusal(open('other', { minOrderSize: 5, maxOrderSize: 4 }))).toBe('INVALID_CONFIG')
  })

  it('is changed only within bounds, and only if it is here', () => {
    const { apply } = createScenario()
    expect(refusal(apply({ kind: 'updateBook', book: 'book', rules: { takerFeeBps: 1001 } }))).toBe('INVALID_CONFIG')
    expect(refusal(apply({ kind: 'updateBook', book: 'none', status: 'PAUSED' }))).toBe('ORDER_BOOK_NOT_FOUND')
  })

  it('keeps its orders while it is paused', () => {
    const { buy, sell, apply, bids } = createScenario()
    buy(1, 10)
    apply({ kind: 'updateBook', book: 'book', status: 'PAUSED' })
    expect(bids()).toEqual([[10, 1]])
    apply({ kind: 'updateBook', book: 'book', status: 'ACTIVE' })
    expect(fills(sell(1, 10))).toEqual(['o1 o2 1 at 10'])
  })

  it('ends its orders when it is closed, and can open again', () => {
    const { buy, apply } = createScenario()
    buy(1, 10)
    const events = apply({ kind: 'updateBook', book: 'book', status: 'CLOSED' })
    expect(changes(events)).toEqual(['o1 CANCELLED ORDER_BOOK_CLOSED'])
    apply({ kind: 'updateBook', book: 'book', status: 'ACTIVE' })
    expect(refusal(buy(1, 10))).toBeNull()
  })
})

describe('a pool', () => {
  const pooled = { pooled: true }
  const prepared = () => {
    const scenario = createScenario({ makerFeeBps: 10, takerFeeBps: 20 }, pooled)
    scenario.open('peer', { makerFeeBps: 30, takerFeeBps: 40 }, pooled)
    return scenario
  }

  it('matches across its books: the trade is of the maker book, each side pays its own rate', () => {
    const { sell, buy, asks } = prepared()
    sell(1, 100, { book: 'peer' })
    expect(asks('book')).toEqual([[100, 1]])
    expect(eventsOf(buy(1, 100), 'trade')).toMatchObject([
      { book: 'peer', takerBook: 'book', makerFeeQuote: units(0.3), takerFeeQuote: units(0.2) },
    ])
  })

  it('is where its books stand, as long as they are in it', () => {
    const { engine, open, apply } = prepared()
    open('alone')
    apply({ kind: 'openAuction', book: 'peer', auction: 'first' })
    expect(engine.books()).toEqual([
      { book: 'book', status: 'ACTIVE', auction: null, ladder: 'POOL' },
      { book: 'peer', status: 'ACTIVE', auction: 'first', ladder: 'peer' },
      { book: 'alone', status: 'ACTIVE', auction: null, ladder: 'alone' },
    ])
  })

  it('counts for post-only, and shows its levels as one', () => {
    const { sell, buy } = prepared()
    expect(eventsOf(sell(1, 100, { book: 'peer' }), 'level')).toMatchObject([{ ladder: 'POOL' }])
    expect(refusal(buy(1, 100, { postOnly: true }))).toBe('POST_ONLY_WOULD_CROSS')
  })

  it('is left by a book that pauses, with its orders', () => {
    const { sell, apply, asks, buy } = prepared()
    sell(1, 100, { book: 'peer' })
    sell(1, 101)
    const events = apply({ kind: 'updateBook', book: 'peer', status: 'PAUSED' })
    expect(eventsOf(events, 'level')).toMatchObject([
      { ladder: 'POOL', price: units(100), orders: 0 },
      { ladder: 'peer', price: units(100), orders: 1 },
    ])
    expect([asks('book'), asks('peer')]).toEqual([[[101, 1]], [[100, 1]]])
    expect(fills(buy(1, 101))).toEqual(['o2 o3 1 at 101'])
  })

  it('trades what crosses when a book joins: its orders come as takers, behind who is there', () => {
    const { sell, buy, apply, asks, bids } = prepared()
    apply({ kind: 'unpool', book: 'peer' })
    sell(1, 100)
    buy(2, 101, { book: 'peer' })
    buy(1, 99, { book: 'peer', postOnly: true })
    const events = apply({ kind: 'pool', book: 'peer' })
    expect(fills(events)).toEqual(['o1 o2 1 at 100'])
    expect([asks('book'), bids('book')]).toEqual([
      [],
      [
        [101, 1],
        [99, 1],
      ],
    ])
  })

  it('ends a post-only order that would take by joining', () => {
    const { sell, buy, apply } = prepared()
    apply({ kind: 'unpool', book: 'peer' })
    sell(1, 100)
    buy(1, 100, { book: 'peer', postOnly: true })
    expect(changes(apply({ kind: 'pool', book: 'peer' }))).toEqual(['o2 CANCELLED POST_ONLY_WOULD_CROSS'])
  })

  it('holds one pair only', () => {
    const { open, apply } = prepared()
    expect(refusal(open('bond', {}, { base: 'bond', pooled: true }))).toBe('POOL_MISMATCH')
    open('bond', {}, { base: 'bond' })
    expect(refusal(apply({ kind: 'pool', book: 'bond' }))).toBe('POOL_MISMATCH')
    expect(refusal(apply({ kind: 'pool', book: 'none' }))).toBe('ORDER_BOOK_NOT_FOUND')
  })
})
