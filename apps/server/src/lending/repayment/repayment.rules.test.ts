import { describe, expect, it } from 'vitest'
import { closingAmount, measurePayment, offerForAll } from './repayment.rules.ts'

describe('what a payment does', () => {
  it('takes the fee out first, and never more than closes the loan', () => {
    expect(measurePayment(2_000_000n, 1_000_000_000n, 100_000_000n)).toEqual({
      paid: 100_000_000n,
      discharged: 99_502_488n,
      fee: 497_512n,
    })
    expect(measurePayment(2_000_000n, 1_000_000_000n, 5_000_000_000n)).toEqual({
      paid: 1_002_000_000n,
      discharged: 1_000_000_000n,
      fee: 2_000_000n,
    })
    expect(measurePayment(0n, 1_000n, 999n)).toEqual({ paid: 999n, discharged: 999n, fee: 0n })
  })

  it('closes the loan with any payment whose rest covers the debt, and loses no unit on the way', () => {
    const wrong: unknown[] = []
    for (const flatFee of [0n, 1n, 7n, 50n, 10_000n])
      for (let debt = 1n; debt < 420n; debt += 13n)
        for (let amount = 1n; amount < 500n; amount += 7n) {
          const { paid, discharged, fee } = measurePayment(flatFee, debt, amount)
          const adds = paid === discharged + fee && paid <= amount && discharged > 0n && discharged <= debt
          if (!adds || paid > closingAmount(flatFee, debt)) wrong.push([flatFee, debt, amount])
        }
    expect(wrong).toEqual([])
  })

  it('offers twenty basis points more for everything, rounded up, and the fee on that', () => {
    expect(offerForAll(2_000_000n, 50_412_881_000n)).toBe(50_515_706_762n)
    expect(offerForAll(0n, 1n)).toBe(2n)
    // Where the cap of the fee rules, it grows with the debt.
    expect(offerForAll(10n ** 12n, 1_000_000n)).toBe(1_002_000n + 5_010n)
  })
})
