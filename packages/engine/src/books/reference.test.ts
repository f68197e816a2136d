import { describe, expect, it } from 'vitest'
import { changes, createScenario, eventsOf, refusal, units } from '../../test/scenario.ts'

const reference = (price: number | null, more: object = {}) =>
  ({ kind: 'setReference', book: 'book', price: price === null ? null : units(price), ...more }) as const

describe('a reference price', () => {
  it('marks a band that includes both ends', () => {
    const { apply } = createScenario()
    expect(apply({ ...reference(1), price: 3, spreadBps: 5000 })).toMatchObject([{ lowerBound: 2, upperBound: 4 }])
  })

  it('the first one ends no order, a later one ends those outside', () => {
    const { buy, apply } = createScenario()
    buy(1, 90)
    buy(1, 96)
    expect(changes(apply(reference(100, { spreadBps: 500 })))).toEqual([])
    expect(changes(apply(reference(100, { spreadBps: 500 })))).toEqual(['o1 CANCELLED PRICE_BAND_VIOLATION'])
  })

  it('pauses the book when it moves too far in one step, and then ends no order', () => {
    const { buy, apply, status } = createScenario()
    buy(1, 90)
    apply(reference(100, { spreadBps: 500 }))
    const exactly = apply(reference(105, { spreadBps: 5000, circuitBreakerBps: 500 }))
    expect(eventsOf(exactly, 'referenceChanged')).toMatchObject([{ brokenAtBps: null }])
    const events = apply(reference(111, { spreadBps: 1, circuitBreakerBps: 500 }))
    expect(eventsOf(events, 'referenceChanged')).toMatchObject([{ price: units(111), brokenAtBps: 571 }])
    expect(eventsOf(events, 'bookChanged')).toMatchObject([{ status: 'PAUSED' }])
    expect(status('o1')).toBe('OPEN')
  })

  it('can be taken away, and its band with it', () => {
    const { buy, apply } = createScenario()
    apply(reference(100, { spreadBps: 1 }))
    apply(reference(null))
    expect(refusal(buy(1, 10))).toBeNull()
  })

  it('is refused at zero, and for a book that is not here', () => {
    const { apply } = createScenario()
    expect(refusal(apply(reference(0)))).toBe('INVALID_PRICE')
    expect(refusal(apply({ ...reference(1), book: 'none' }))).toBe('ORDER_BOOK_NOT_FOUND')
  })
})
