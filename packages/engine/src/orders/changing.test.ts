import { describe, expect, it } from 'vitest'
import { changes, createScenario, eventsOf, fills, refusal, units } from '../../test/scenario.ts'

describe('amending an order', () => {
  it('down keeps its place in the queue and frees the rest', () => {
    const { sell, buy, apply, asks } = createScenario()
    sell(3, 10)
    sell(1, 10)
    expect(eventsOf(apply({ kind: 'amend', order: 'o1', quantity: units(1) }), 'orderChanged')).toMatchObject([
      { order: 'o1', remaining: units(1), released: units(2), reserved: units(1) },
    ])
    expect(asks()).toEqual([[10, 2]])
    expect(fills(buy(1, 10))).toEqual(['o1 o3 1 at 10'])
  })

  it('up loses its place and needs more reserved', () => {
    const { sell, buy, apply } = createScenario()
    sell(1, 10)
    sell(1, 10)
    const events = apply({ kind: 'amend', order: 'o1', quantity: units(2) })
    expect(eventsOf(events, 'orderChanged')).toMatchObject([{ order: 'o1', added: units(1), reserved: units(2) }])
    expect(fills(buy(2, 10))).toEqual(['o2 o3 1 at 10', 'o1 o3 1 at 10'])
  })

  it('to another price loses its place and may trade at once', () => {
    const { sell, buy, apply } = createScenario()
    sell(1, 10)
    buy(1, 9)
    expect(fills(apply({ kind: 'amend', order: 'o1', price: units(9) }))).toEqual(['o2 o1 1 at 9'])
  })

  it('counts what is filled', () => {
    const { sell, buy, apply, remaining } = createScenario()
    sell(3, 10)
    buy(1, 10)
    apply({ kind: 'amend', order: 'o1', quantity: units(2) })
    expect(remaining('o1')).toBe(units(1))
    expect(refusal(apply({ kind: 'amend', order: 'o1', quantity: units(1) }))).toBe('INVALID_QUANTITY')
  })

  it('obeys the rules of a new order', () => {
    const { sell, buy, apply } = createScenario({ tickSize: units(1), maxOrderSize: units(5) })
    buy(1, 9)
    sell(1, 11, { postOnly: true, account: 'me' })
    const amend = (change: object) => refusal(apply({ kind: 'amend', order: 'o2', ...change }))
    expect(amend({ price: units(10.5) })).toBe('INVALID_PRICE')
    expect(amend({ quantity: units(6) })).toBe('ORDER_TOO_LARGE')
    expect(amend({ price: units(9) })).toBe('POST_ONLY_WOULD_CROSS')
    expect(amend({ quantity: units(2), account: 'you' })).toBe('ORDER_NOT_FOUND')
    apply({ kind: 'updateBook', book: 'book', status: 'PAUSED' })
    expect(amend({ quantity: units(2) })).toBe('ORDER_BOOK_INACTIVE')
  })

  it('is refused SETTLEMENT_PENDING where a fill could come back at another price', () => {
    const { sell, buy, apply } = createScenario({}, { staged: true })
    sell(2, 10)
    buy(1, 10)
    expect(refusal(apply({ kind: 'amend', order: 'o1', price: units(11) }))).toBe('SETTLEMENT_PENDING')
    apply({ kind: 'settle', trade: 1 })
    expect(refusal(apply({ kind: 'amend', order: 'o1', price: units(11) }))).toBeNull()
  })
})

describe('cancelling', () => {
  it('ends a resting order of its owner', () => {
    const { buy, cancel, apply, bids } = createScenario()
    buy(1, 10, { account: 'me' })
    expect(refusal(apply({ kind: 'cancel', order: 'o1', account: 'you' }))).toBe('ORDER_NOT_FOUND')
    expect(changes(cancel('o1'))).toEqual(['o1 CANCELLED USER_CANCELLED'])
    expect(bids()).toEqual([])
    expect(refusal(cancel('o1'))).toBe('ORDER_NOT_FOUND')
  })

  it('works on a paused book', () => {
    const { buy, cancel, apply } = createScenario()
    buy(1, 10)
    apply({ kind: 'updateBook', book: 'book', status: 'PAUSED' })
    expect(changes(cancel('o1'))).toEqual(['o1 CANCELLED USER_CANCELLED'])
  })

  it('in masses ends what fits all that is said, oldest first', () => {
    const { buy, sell, apply, open } = createScenario()
    open('other')
    buy(1, 10, { account: 'me' })
    sell(1, 20, { account: 'me' })
    sell(1, 20, { account: 'me', book: 'other' })
    sell(1, 20, { account: 'you' })
    const gone = (command: object) => changes(apply({ kind: 'massCancel', ...command })).map((text) => text.slice(0, 2))
    expect(gone({ account: 'me', side: 'SELL', book: 'book' })).toEqual(['o2'])
    expect(gone({ account: 'me' })).toEqual(['o1', 'o3'])
    expect(gone({ side: 'BUY' })).toEqual([])
    expect(gone({})).toEqual(['o4'])
  })
})

describe('time', () => {
  it('ends an order at its moment, before anything else happens', () => {
    const { sell, buy, wait } = createScenario()
    sell(1, 10, { expiresAt: 100 })
    wait(98)
    expect(fills(buy(0.5, 10))).toEqual(['o1 o2 0.5 at 10'])
    wait(1)
    expect(changes(buy(0.5, 10))).toEqual(['o1 EXPIRED ORDER_EXPIRED'])
  })

  it('never runs backwards', () => {
    const { sell, apply, wait, status } = createScenario()
    wait(100)
    apply({ kind: 'expire' })
    wait(-90)
    expect(refusal(sell(1, 10, { expiresAt: 50 }))).toBe('INVALID_ORDER_EXPIRY')
    sell(1, 10, { expiresAt: 102 })
    apply({ kind: 'expire' })
    expect(status('o2')).toBe('OPEN')
  })

  it('passes many orders at once in the order of their ends', () => {
    const { sell, cancel, apply, wait } = createScenario()
    for (let number = 0; number < 100; number += 1) sell(1, 10, { expiresAt: 1000 - (number % 10) })
    for (let number = 1; number <= 60; number += 1) cancel(`o${number}`)
    wait(2000)
    const ended = changes(apply({ kind: 'expire' })).map((text) => Number(text.slice(1).split(' ')[0]))
    const expected = Array.from({ length: 40 }, (_, index) => index + 61)
    const end = (order: number) => 1000 - ((order - 1) % 10)
    expect(ended).toEqual(expected.sort((a, b) => end(a) - end(b) || a - b))
  })
})
