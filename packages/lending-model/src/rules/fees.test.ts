import { describe, expect, it } from 'vitest'
import { flatFeeDown, measurePayment, providersPartDown, splitFlatFeeDown, splitInterestDown } from './fees.ts'

const units = (value: number) => BigInt(Math.round(value * 1e6))

describe('interest', () => {
  it('splits 1000 into 150, 68, 42.5 and 739.5', () => {
    expect(splitInterestDown(units(1000), 0n)).toEqual({
      infrastructure: units(150),
      operator: units(68),
      distributor: units(42.5),
      insurance: 0n,
      providers: units(739.5),
    })
  })

  it('gives insurance its part of what is left', () => {
    const { insurance, providers } = splitInterestDown(units(1000), 5n * 10n ** 10n)
    expect([insurance, providers]).toEqual([units(36.975), units(702.525)])
  })

  it('floors every leg and leaves the rest to the providers', () => {
    expect(splitInterestDown(999n, 0n)).toEqual({
      infrastructure: 149n,
      operator: 68n,
      distributor: 42n,
      insurance: 0n,
      providers: 740n,
    })
  })

  it('promises providers no more than they get, paid whole or in pieces', () => {
    // 999 x 0.7395 = 738.76
    expect(providersPartDown(999n, 0n)).toBe(738n)
    const inPieces = [333n, 333n, 333n].reduce((total, piece) => total + splitInterestDown(piece, 0n).providers, 0n)
    expect(inPieces).toBeGreaterThanOrEqual(738n)
  })
})

describe('flat fees', () => {
  it('splits 87, 8, 5 and leaves what rounding leaves to infrastructure', () => {
    expect(splitFlatFeeDown(100n)).toEqual({ infrastructure: 87n, operator: 8n, distributor: 5n })
    expect(splitFlatFeeDown(99n)).toEqual({ infrastructure: 88n, operator: 7n, distributor: 4n })
  })

  it('charges at most half a percent', () => {
    expect(flatFeeDown(units(5), units(100))).toBe(units(0.5))
    expect(flatFeeDown(units(5), units(10_000))).toBe(units(5))
  })

  it('closes a loan at debt plus fee and takes no more', () => {
    const closing = { paid: units(100.5), discharged: units(100), fee: units(0.5) }
    expect(measurePayment(units(2), units(100), units(100.5))).toEqual(closing)
    expect(measurePayment(units(2), units(100), units(9_999))).toEqual(closing)
  })

  it('takes the 201st part of a small payment first', () => {
    expect(measurePayment(units(2), units(100), units(20.1))).toEqual({
      paid: units(20.1),
      discharged: units(20),
      fee: units(0.1),
    })
  })

  it('lets a payment that is one unit short of the closing amount close the loan', () => {
    expect(measurePayment(100n, 1_000n, 1_004n)).toEqual({ paid: 1_004n, discharged: 1_000n, fee: 4n })
    expect(measurePayment(100n, 1_000n, 1_003n)).toEqual({ paid: 1_003n, discharged: 999n, fee: 4n })
  })
})
