import { describe, expect, it } from 'vitest'
import { digitsOf, largestFee, plainUnits, reservationOf, showUnits, typedUnits, walk } from './units.ts'

describe('order book units', () => {
  it('are read exactly, or not at all', () => {
    expect(typedUnits('1.5')).toBe(1_500_000n)
    expect(typedUnits(' 1000000000000.000001 ')).toBe(1_000_000_000_000_000_001n)
    expect(typedUnits('1.50000000')).toBe(1_500_000n)
    expect(typedUnits('0.0000001')).toBeUndefined()
    for (const nothing of ['', '0', '-1', '1e3', '1,5', 'abc']) expect(typedUnits(nothing)).toBeUndefined()
    expect([plainUnits(1_500_000n), showUnits('1234567890', 2)]).toEqual(['1.5', '1,234.56789'])
  })

  it('have as many digits as the tick of the book needs', () => {
    expect(['1', '10000', '500000', '1000000', '200'].map(digitsOf)).toEqual([2, 2, 2, 2, 4])
  })

  it('reserve what the engine reserves: rounded down, the fee on whole basis points of the quantity', () => {
    expect(reservationOf('SELL', 7n, 9n, 15)).toBe(7n)
    expect(reservationOf('BUY', 3_000_000n, 40_000_000n, 15)).toBe(120_000_000n + 180_000n)
    expect(largestFee(333_333n, 1_999_999n, 15)).toBe(997n)
    expect(largestFee(1n, 1n, 1_000)).toBe(0n)
  })

  it('are taken from the best level on', () => {
    const levels = [
      { price: '10000000', quantity: '1000000' },
      { price: '11000000', quantity: '2000000' },
    ]
    expect(walk(levels, 1_500_000n)).toEqual({ notional: 15_500_000n, left: 0n })
    expect(walk(levels, 5_000_000n)).toEqual({ notional: 32_000_000n, left: 2_000_000n })
  })
})
