import { describe, expect, it } from 'vitest'
import { positiveUnits, requirePositive, requireUnits } from './amounts.ts'

const refused = (field: string, message: string) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', extra: { details: [{ field, message }] } })

describe('amounts of a request', () => {
  it('reads a decimal above zero in the smallest unit', () => {
    expect(positiveUnits('1.5', 6)).toBe(1_500_000n)
    expect(requirePositive('amount', '0.000001', 6)).toBe(1n)
  })

  it('takes no zero, nothing finer than the token and no more than the limit', () => {
    expect(['0', '0.0', '1.0000001', '-1', '1e3', ''].map((text) => positiveUnits(text, 6))).toEqual(
      Array(6).fill(null),
    )
    expect(positiveUnits('11', 0, 10n)).toBeNull()
    expect(positiveUnits('10', 0, 10n)).toBe(10n)
  })

  it('names the field that it refuses', () => {
    const message = 'must be a decimal above zero with at most 6 decimals'
    expect(() => requirePositive('amount', '0', 6)).toThrow(refused('amount', message))
    expect(() => requirePositive('amount', undefined, 6)).toThrow(refused('amount', message))
    expect(() => requirePositive('amount', '2', 6, 1_000_000n)).toThrow(refused('amount', message))
  })

  it('takes zero where zero is an amount', () => {
    expect(requireUnits('cap', '0', 6)).toBe(0n)
    expect(() => requireUnits('cap', '1.0000001', 6)).toThrow(
      refused('cap', 'must be a decimal with at most 6 decimals'),
    )
    expect(() => requireUnits('cap', '2', 0, 1n)).toThrow(refused('cap', 'must be a decimal with at most 0 decimals'))
  })
})
