import { describe, expect, test } from 'vitest'
import {
  chainFeeDown,
  exactChainAmount,
  isFillTooSmall,
  quoteAmountDown,
  stepOf,
  unitsDown,
} from './chain-units.rules.ts'

describe('order book units and units of the chain', () => {
  test('an amount is converted exactly or not at all', () => {
    expect(exactChainAmount(10_000_000n, 18)).toBe(10n ** 19n)
    expect(exactChainAmount(104_200_000n, 6)).toBe(104_200_000n)
    expect(exactChainAmount(3_000_000n, 0)).toBe(3n)
    expect(exactChainAmount(3_500_000n, 0)).toBeNull()
    expect(exactChainAmount(1n, 2)).toBeNull()
    expect([0, 2, 6, 18].map(stepOf)).toEqual([1_000_000n, 10_000n, 1n, 1n])
    for (const decimals of [0, 2, 6, 18])
      expect(exactChainAmount(stepOf(decimals), decimals)).toBe(decimals < 6 ? 1n : 10n ** BigInt(decimals - 6))
  })

  test('the value of a fill is what the contract computes', () => {
    expect(quoteAmountDown(10n ** 19n, 104_200_000n, 18)).toBe(1_042_000_000n)
    expect(quoteAmountDown(1n, 999_999n, 6)).toBe(0n)
  })

  test('a balance backs no more than it is', () => {
    expect(unitsDown(1_999_999_999_999n, 18)).toBe(1n)
    expect(unitsDown(7n, 0)).toBe(7_000_000n)
  })

  test('a fee that the token cannot tell is not charged, and a rebate not paid', () => {
    expect(chainFeeDown(1_999_999n, 0)).toBe(1n)
    expect(chainFeeDown(-1_999_999n, 0)).toBe(-1n)
    expect(chainFeeDown(5n, 18)).toBe(5_000_000_000_000n)
  })

  test('what the contract would refuse as too small is known before', () => {
    expect(isFillTooSmall(1n, 999_999n, 6)).toBe(true)
    expect(isFillTooSmall(1n, 1_000_000n, 6)).toBe(false)
    expect(isFillTooSmall(999_999n, 999_999n, 6)).toBe(false)
    expect(isFillTooSmall(999n, 999_999n, 6)).toBe(true)
    expect(isFillTooSmall(1_002n, 999_999n, 6)).toBe(false)
  })
})
