import { describe, expect, it } from 'vitest'
import { auctionPriceUp, costUp } from './auction-price.ts'
import {
  capacityDown,
  claimForCollateralDown,
  closablePartUp,
  collateralForClaimUp,
  healthFactorDown,
} from './health.ts'
import { assetsForDown, isWipedOut, sharesForDown, virtualShares } from './shares.ts'
import { coverableGap, type Entitlements, splitCash } from './waterfall.ts'

const units = (value: number) => BigInt(Math.round(value * 1e6))
const scale = 10n ** 18n
const tokens = (count: bigint) => count * scale

describe('health', () => {
  it('lets 1000 tokens at 104.82 carry 78615 at 75 percent', () => {
    expect(capacityDown(tokens(1_000n), { price: units(104.82), scale }, 7_500n)).toBe(units(78_615))
  })

  it('is exactly one at the border and below it with one unit more', () => {
    const at = (debt: bigint) => healthFactorDown(tokens(500n), { price: units(100), scale }, 8_500n, debt)
    expect(at(units(42_500))).toBe(scale)
    expect(at(units(42_500) + 1n)).toBeLessThan(scale)
    expect(at(0n)).toBeUndefined()
  })

  it('claims half of 42318.4 and takes 222.1716 tokens for it', () => {
    const claim = closablePartUp(units(42_318.4), 5_000n)
    expect(claim).toBe(units(21_159.2))
    const taken = collateralForClaimUp(claim, 500n, { price: units(100), scale })
    expect(taken).toBe(222_171_600_000_000_000_000n)
    expect(claimForCollateralDown(taken, 500n, { price: units(100), scale })).toBe(claim)
  })
})

describe('auction', () => {
  const line = { oraclePrice: units(100), startBps: 13_000n, floorBps: 9_500n, durationSeconds: 3_600n }

  it('falls in a straight line from 130 to 95 and stays there', () => {
    const prices = [0n, 1n, 1_800n, 3_600n, 99_999n].map((elapsed) => auctionPriceUp(line, elapsed))
    expect(prices).toEqual([units(130), 129_990_278n, units(112.5), units(95), units(95)])
  })

  it('rounds what the bidder pays up', () => {
    expect(costUp(1n, { price: units(95), scale })).toBe(1n)
    expect(costUp(tokens(2n), { price: units(95), scale })).toBe(units(190))
  })
})

describe('shares', () => {
  it('have 18 decimals and stand behind one virtual unit', () => {
    const empty = { totalAssets: 0n, totalShares: 0n, virtualShares: virtualShares(6n) }
    const shares = sharesForDown(units(1_000), empty)
    expect(shares).toBe(1_000n * scale)
    const grown = { ...empty, totalAssets: units(1_100), totalShares: shares }
    expect(assetsForDown(shares, grown)).toBe(units(1_100) - 1n)
  })

  it('are wiped out below a millionth', () => {
    const base = { totalShares: 1_000n * scale, virtualShares: virtualShares(6n) }
    expect(isWipedOut({ ...base, totalAssets: 1_000n })).toBe(false)
    expect(isWipedOut({ ...base, totalAssets: 999n })).toBe(true)
  })
})

describe('waterfall', () => {
  const half: Entitlements = {
    claim: 500n,
    totalDebt: 1_000n,
    penaltyBps: 500n,
    claimOpen: 500n,
    advanced: 0n,
    keptPenalty: 0n,
    beyond: 0n,
    loanDebt: 480n,
    lost: 0n,
  }

  it('pays claim, penalty, the loan and the borrower in this order', () => {
    expect(splitCash(1_500n, half)).toEqual({
      toClaim: 500n,
      toFund: 0n,
      penalty: 25n,
      debtApplied: 480n,
      recovered: 0n,
      lastPenalty: 24n,
      surplus: 471n,
    })
  })

  it('keeps nothing for debt that was paid otherwise', () => {
    expect(splitCash(1_500n, { ...half, loanDebt: 0n })).toMatchObject({ lastPenalty: 0n, surplus: 975n })
  })

  it('pays the whole loan before the borrower, and no penalty on what came since the seizure', () => {
    const grown = { ...half, loanDebt: 900n }
    expect(splitCash(1_425n, grown)).toMatchObject({ debtApplied: 900n, lastPenalty: 0n, surplus: 0n })
    expect(splitCash(1_500n, grown)).toMatchObject({ debtApplied: 900n, lastPenalty: 25n, surplus: 50n })
  })

  it('repays the fund before the pool has income', () => {
    const late = { ...half, claimOpen: 0n, advanced: 200n }
    expect(splitCash(210n, late)).toMatchObject({ toClaim: 0n, toFund: 200n, penalty: 10n })
  })

  it('keeps at most the whole debt and its penalty when the fund paid for a residual', () => {
    const residual = { ...half, claim: 600n, claimOpen: 600n, advanced: 300n, beyond: 400n, loanDebt: 0n, lost: 100n }
    expect(splitCash(2_000n, residual)).toMatchObject({
      toFund: 300n,
      recovered: 100n,
      lastPenalty: 20n,
      surplus: 950n,
    })
  })

  it('asks the fund only below the floor value, unless the sale is countersigned', () => {
    expect(coverableGap(units(21_159.2), units(15_000), units(20_000), false)).toBe(units(1_159.2))
    expect(coverableGap(units(21_159.2), units(15_000), units(20_000), true)).toBe(units(6_159.2))
    expect(coverableGap(500n, 600n, 0n, false)).toBe(0n)
  })
})
