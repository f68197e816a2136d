import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import { gasLimitOf } from './gas-limit.rules.ts'
import { routerIdOf, statusOf, venueIdOf } from './liquidation-id.rules.ts'
import { type RealizationBooks, type Surroundings, settlementOf, writeOffOf } from './waterfall.rules.ts'

const books: RealizationBooks = {
  claim: 1_000n,
  principalOwed: 900n,
  principalRecovered: 0n,
  totalDebt: 2_000n,
  floorValue: 950n,
  penaltyBps: 500,
  held: 0n,
  recovered: 0n,
  covered: 0n,
  keptPenalty: 0n,
  beyond: 0n,
  isCountersigned: false,
}
const around: Surroundings = { arrears: { lost: 0n, advanced: 0n }, loanDebt: 1_000n, coverable: 100n }
const settle = (routerCash: bigint, some: Partial<RealizationBooks> = {}, near: Partial<Surroundings> = {}) =>
  settlementOf({ ...books, ...some }, { ...around, ...near }, { routerCash, isOpen: true })

describe('the cash of a liquidation', () => {
  it('makes the pool whole, then keeps the penalty, then pays the loan, then belongs to the borrower', () => {
    expect(settle(1_000n)).toMatchObject({ toClaim: 1_000n, penalty: 0n, shortfall: 0n, reserve: null })
    expect(settle(1_070n)).toMatchObject({ toClaim: 1_000n, penalty: 50n, debtApplied: 20n, surplus: 0n })
    expect(settle(2_200n)).toMatchObject({ penalty: 50n, debtApplied: 1_000n, lastPenalty: 50n, surplus: 100n })
  })

  it('asks the fund for no more than the gap below the floor value, unless countersigned', () => {
    expect(settle(980n)).toMatchObject({ reserve: { requested: 20n, covered: 20n }, shortfall: 0n })
    expect(settle(700n)).toMatchObject({ reserve: { requested: 50n, covered: 50n }, shortfall: 150n })
    expect(settle(700n, { isCountersigned: true })).toMatchObject({
      reserve: { requested: 300n, covered: 100n },
      shortfall: 100n,
    })
    expect(settle(700n, { floorValue: 2_000n })).toMatchObject({ reserve: null, shortfall: 200n })
  })

  it('repays the fund before it is income, and makes up for earlier losses before it is a surplus', () => {
    const flow = settle(1_500n, {}, { arrears: { lost: 60n, advanced: 40n }, loanDebt: 0n })
    expect(flow).toMatchObject({ toClaim: 1_000n, toFund: 40n, penalty: 50n, recovered: 60n, surplus: 350n })
  })

  it('late goes to the pool up to what it lost, then to the fund', () => {
    const closed = { ...books, recovered: 0n, covered: 100n }
    const near = { ...around, arrears: { lost: 900n, advanced: 100n }, loanDebt: 0n }
    const flow = settlementOf(closed, near, { routerCash: 950n, isOpen: false })
    expect(flow).toMatchObject({ late: true, toClaim: 900n, toFund: 50n, reserve: null, shortfall: 0n })
  })

  it('of bids counts as late when the rest is written off', () => {
    const flow = writeOffOf({ ...books, held: 300n }, { ...around, loanDebt: 0n })
    expect(flow).toMatchObject({ cash: 300n, toClaim: 300n, reserve: { requested: 1_000n, covered: 100n } })
    expect(flow.poolLoss).toBe(600n)
  })

  it('is neither lost nor made up, whatever the books', () => {
    const random = seededRandom(16)
    const some = (most: number) => BigInt(random.integer(0, most))
    for (let round = 0; round < 500; round++) {
      const claim = some(10_000)
      const given: RealizationBooks = {
        ...books,
        claim,
        principalOwed: claim / 2n,
        totalDebt: claim + some(5_000),
        floorValue: some(10_000),
        penaltyBps: random.integer(0, 5_000),
        held: some(500),
        keptPenalty: some(300),
        beyond: some(3_000),
      }
      const near = {
        arrears: { lost: some(2_000), advanced: some(2_000) },
        loanDebt: some(4_000),
        coverable: some(3_000),
      }
      const isOpen = round % 2 === 0
      const flow = settlementOf(given, near, { routerCash: some(20_000), isOpen })
      const legs = [
        flow.toClaim,
        flow.toFund,
        flow.penalty,
        flow.debtApplied,
        flow.recovered,
        flow.lastPenalty,
        flow.surplus,
      ]
      expect(legs.reduce((sum, leg) => sum + leg, 0n)).toBe(flow.cash)
      expect(legs.every((leg) => leg >= 0n)).toBe(true)
    }
  })
})

describe('numbers of liquidations', () => {
  it('are those that a contract can count', () => {
    expect(['1', '281474976710655'].map(routerIdOf)).toEqual([1n, 281_474_976_710_655n])
    for (const text of ['0', '01', '-1', '1.0', '', ' 1', 'venue-1', '281474976710656'])
      expect(routerIdOf(text)).toBeNull()
    expect(['venue-7', 'venue-', 'venue-0', '7'].map(venueIdOf)).toEqual([7n, null, null, null])
    expect([0, 1, 2, 3].map(statusOf)).toEqual(['NONE', 'PENDING', 'SETTLED', 'WRITTEN_OFF'])
  })
})

describe('the gas of a settlement', () => {
  it('leaves the market what it wants in hand, also where nothing could be simulated', () => {
    expect(gasLimitOf({ success: true, gasUsed: '100001' })).toBe('750002')
    expect(gasLimitOf({ success: false, gasUsed: '100000' })).toBe('1500000')
    expect(gasLimitOf({ success: false, gasUsed: null })).toBe('1500000')
  })
})
