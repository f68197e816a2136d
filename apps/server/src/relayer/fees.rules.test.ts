import { describe, expect, it } from 'vitest'
import { gasCost, gasLimitFor, replacementFees, suggestedFees } from './fees.rules.ts'

const free = { gasLimit: 100n, ceiling: null }

describe('the fees of a transaction', () => {
  it('are twice the base fee and what the node calls a usual tip', () => {
    expect(suggestedFees({ baseFee: 10n, priorityFee: 3n, gasPrice: 99n })).toEqual({
      maxFeePerGas: 23n,
      maxPriorityFeePerGas: 3n,
    })
  })

  it('hold a tip of 1 gwei where the node names none', () => {
    const { maxPriorityFeePerGas } = suggestedFees({ baseFee: 10n, priorityFee: null, gasPrice: 99n })
    expect(maxPriorityFeePerGas).toBe(1_000_000_000n)
  })

  it('are one price on a chain without a base fee', () => {
    expect(suggestedFees({ baseFee: null, priorityFee: 3n, gasPrice: 99n })).toEqual({
      maxFeePerGas: 99n,
      maxPriorityFeePerGas: null,
    })
  })

  it('times the gas limit are what it may cost', () => {
    expect(gasLimitFor(100n)).toBe(125n)
    expect(gasLimitFor(1n)).toBe(2n)
    expect(gasCost(125n, { maxFeePerGas: 4n, maxPriorityFeePerGas: 1n })).toBe(500n)
  })
})

describe('the fees of a replacement', () => {
  it('are those of now, when they are enough more', () => {
    const before = { maxFeePerGas: 100n, maxPriorityFeePerGas: 10n }
    const now = { maxFeePerGas: 300n, maxPriorityFeePerGas: 20n }
    expect(replacementFees(before, now, free)).toEqual(now)
  })

  it('are an eighth more than before otherwise, each of them, rounded up', () => {
    const now = { maxFeePerGas: 90n, maxPriorityFeePerGas: 2n }
    expect(replacementFees({ maxFeePerGas: 80n, maxPriorityFeePerGas: 9n }, now, free)).toEqual({
      maxFeePerGas: 90n,
      maxPriorityFeePerGas: 11n,
    })
    expect(replacementFees({ maxFeePerGas: 101n, maxPriorityFeePerGas: 0n }, now, free)).toEqual({
      maxFeePerGas: 114n,
      maxPriorityFeePerGas: 2n,
    })
    for (let fee = 0n; fee < 200n; fee++) {
      const raised = replacementFees(
        { maxFeePerGas: fee, maxPriorityFeePerGas: null },
        { maxFeePerGas: fee + 2n, maxPriorityFeePerGas: null },
        free,
      )
      expect((raised?.maxFeePerGas ?? 0n) * 8n).toBeGreaterThanOrEqual(fee * 9n)
    }
  })

  it('never cost more than the ceiling: less than wanted, or none', () => {
    const before = { maxFeePerGas: 80n, maxPriorityFeePerGas: 80n }
    const now = { maxFeePerGas: 200n, maxPriorityFeePerGas: 1n }
    expect(replacementFees(before, now, { gasLimit: 100n, ceiling: 9_099n })).toEqual({
      maxFeePerGas: 90n,
      maxPriorityFeePerGas: 90n,
    })
    expect(replacementFees(before, now, { gasLimit: 100n, ceiling: 8_999n })).toBeNull()
  })

  it('are none when twice the price of now was offered already', () => {
    const now = { maxFeePerGas: 100n, maxPriorityFeePerGas: 1n }
    expect(replacementFees({ maxFeePerGas: 170n, maxPriorityFeePerGas: 1n }, now, free)).not.toBeNull()
    expect(replacementFees({ maxFeePerGas: 180n, maxPriorityFeePerGas: 1n }, now, free)).toBeNull()
  })

  it('stay one price where the first was', () => {
    const before = { maxFeePerGas: 80n, maxPriorityFeePerGas: null }
    expect(replacementFees(before, { maxFeePerGas: 200n, maxPriorityFeePerGas: 5n }, free)).toEqual({
      maxFeePerGas: 200n,
      maxPriorityFeePerGas: null,
    })
  })
})
