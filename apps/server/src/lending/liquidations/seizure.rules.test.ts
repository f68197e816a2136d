import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import { foundOf, type SeizureInput, seizureOf, smallDebtOf, triggerOf } from './seizure.rules.ts'

const whole = (amount: number) => BigInt(Math.round(amount * 1e6)) * 10n ** 12n
const cash = (amount: number) => BigInt(Math.round(amount * 1e6))

const usual: SeizureInput = {
  trigger: 'HEALTH',
  debt: cash(70_000),
  collateral: whole(1_000),
  price: cash(80),
  collateralDecimals: 18,
  liquidationPenaltyBps: 500,
  termPenaltyBps: 200,
  closeFactorBps: 5_000,
  auctionMinBps: 9_500,
  smallDebt: cash(100),
  useDutchAuction: false,
  atomicFactorBps: null,
}

describe('what a seizure takes', () => {
  it('is half of the debt with its penalty, in collateral at the price', () => {
    expect(seizureOf(usual)).toEqual({
      path: 'ROUTER',
      claim: cash(35_000),
      taken: whole(459.375),
      penaltyBps: 500n,
      closes: false,
      residual: 0n,
      returned: 0n,
      floorValue: cash(34_912.5),
      payment: null,
    })
  })

  it('is everything where half is not enough, and the rest of the debt is lost', () => {
    const { claim, taken, closes, residual } = seizureOf({ ...usual, price: cash(30) })
    expect([claim, taken, closes]).toEqual([28_571_428_571n, whole(1_000), true])
    expect(residual).toBe(cash(70_000) - claim)
  })

  it('is everything at a floor or a bid that rounds to nothing', () => {
    const worthless = { ...usual, trigger: 'TERM' as const, price: 1n }
    for (const path of [{ useDutchAuction: true }, { atomicFactorBps: 9_500n }])
      expect(seizureOf({ ...worthless, ...path })).toMatchObject({
        claim: cash(70_000),
        taken: whole(1_000),
        closes: true,
      })
  })

  it('is nothing where nothing is left', () => {
    const none = seizureOf({ ...usual, collateral: 0n })
    expect(none).toMatchObject({ claim: 0n, taken: 0n, closes: true, residual: cash(70_000), penaltyBps: 0n })
  })

  it('is all of a debt past its term, at the penalty of the term; what is not needed goes back', () => {
    for (const trigger of ['TERM', 'HEALTH_AND_TERM'] as const)
      expect(seizureOf({ ...usual, trigger })).toMatchObject({
        claim: cash(70_000),
        taken: whole(892.5),
        returned: whole(107.5),
        closes: true,
      })
    // An auction is counted at its floor.
    const auction = seizureOf({ ...usual, trigger: 'TERM', debt: cash(38_000), useDutchAuction: true })
    expect(auction).toMatchObject({ path: 'VENUE', taken: whole(510) })
  })

  it('is half of the collateral in an auction, or all of it when that is worth less than half of the debt', () => {
    expect(seizureOf({ ...usual, useDutchAuction: true })).toMatchObject({ claim: cash(35_000), taken: whole(500) })
    const all = seizureOf({ ...usual, useDutchAuction: true, price: cash(60) })
    expect(all).toMatchObject({ claim: cash(70_000), taken: whole(1_000), closes: true, residual: 0n })
  })

  it('is all of a debt that is too small to be lent', () => {
    expect(seizureOf({ ...usual, debt: cash(100), collateral: whole(1.4) })).toMatchObject({ claim: cash(100) })
    const auction = seizureOf({ ...usual, debt: cash(100), collateral: whole(1.4), useDutchAuction: true })
    expect(auction).toMatchObject({ claim: cash(100), taken: whole(1.4), closes: true })
  })

  it('is counted at the bid where the router sells at once', () => {
    const sale = seizureOf({ ...usual, atomicFactorBps: 9_600n })
    expect(sale).toMatchObject({ path: 'ATOMIC', claim: cash(35_000), payment: cash(36_750) })
    expect(sale.taken).toBe(478_515_625_000_000_000_000n)
    // Auctions come first.
    expect(seizureOf({ ...usual, atomicFactorBps: 9_600n, useDutchAuction: true }).path).toBe('VENUE')
  })

  it('never is more than there is, and everything is accounted for', () => {
    const random = seededRandom(7)
    for (let turn = 0; turn < 300; turn++) {
      const input: SeizureInput = {
        ...usual,
        trigger: random.pick(['HEALTH', 'TERM'] as const),
        debt: random.bigint(1n, 10n ** 11n),
        collateral: random.bigint(0n, 10n ** 21n),
        price: random.bigint(1n, 10n ** 9n),
        useDutchAuction: random.chance(0.3),
        atomicFactorBps: random.chance(0.5) ? random.bigint(9_500n, 10_500n) : null,
      }
      const { claim, taken, closes, residual, returned } = seizureOf(input)
      expect(claim <= input.debt && taken <= input.collateral).toBe(true)
      expect(closes ? claim + residual : residual).toBe(closes ? input.debt : 0n)
      expect(closes ? taken + returned : returned).toBe(closes ? input.collateral : 0n)
    }
  })
})

describe('what decides about a seizure', () => {
  const judged = { ...usual, liquidationThresholdBps: 8_500, isPastTerm: false }

  it('is the health of the loan, and its term', () => {
    expect(triggerOf(judged)).toBe('HEALTH')
    expect(triggerOf({ ...judged, isPastTerm: true })).toBe('HEALTH_AND_TERM')
    expect(triggerOf({ ...judged, debt: cash(68_000) })).toBeNull()
    expect(triggerOf({ ...judged, debt: cash(68_000) + 1n })).toBe('HEALTH')
    expect(triggerOf({ ...judged, debt: cash(68_000), isPastTerm: true })).toBe('TERM')
    expect(triggerOf({ ...judged, debt: 0n, isPastTerm: true })).toBeNull()
  })

  it('is the smaller of two minimums, of the opening in whole units', () => {
    expect(smallDebtOf(cash(100), cash(100), 6)).toBe(cash(100))
    expect(smallDebtOf(cash(500), cash(99.5), 6)).toBe(cash(100))
    expect(smallDebtOf(cash(50), cash(100), 6)).toBe(cash(50))
  })

  it('is what the holder still has of all that is locked', () => {
    expect([foundOf(10n, 30n, 30n), foundOf(10n, 30n, 25n), foundOf(10n, 30n, 3n)]).toEqual([10n, 5n, 0n])
  })
})
