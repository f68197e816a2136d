import { describe, expect, it } from 'vitest'
import { forecastDraws, offeringOf } from './draw.rules.ts'

const vault = (digit: string, drawable: bigint | null) => ({ vault: `0x${digit.repeat(40)}` as const, drawable })

describe('what a draw takes from vaults', () => {
  const pool = { cash: 1_000n, totalBorrowed: 0n, reserveRatioBps: 0n }

  it('is nothing while the pool suffices', () => {
    expect(forecastDraws(pool, 1_000n, [vault('1', 500n)])).toEqual({ available: 1_000n, suffices: true, draws: [] })
  })

  it('is the shortfall, from the first that gives any', () => {
    const vaults = [vault('1', null), vault('2', 0n), vault('3', 300n), vault('4', 900n), vault('5', 900n)]
    const { draws, suffices } = forecastDraws(pool, 1_500n, vaults)
    expect(draws.map(({ vault, amount }) => [vault[2], amount])).toEqual([
      ['3', 300n],
      ['4', 200n],
    ])
    expect(suffices).toBe(true)
  })

  it('is grossed up by the reserve that it adds to', () => {
    const reserved = { cash: 1_000n, totalBorrowed: 1_000n, reserveRatioBps: 500n }
    expect(forecastDraws(reserved, 1_000n, [vault('1', 5_000n)])).toEqual({
      available: 1_001n,
      suffices: true,
      draws: [{ vault: vault('1', 0n).vault, amount: 106n }],
    })
    expect(forecastDraws({ ...reserved, cash: 10n }, 50n, [])).toMatchObject({ available: 0n, suffices: false })
  })
})

describe('what a loan keeps from its opening', () => {
  const terms = { maxLoanDuration: 0, gracePeriod: 60, terminalDueAt: 0, termPenaltyBps: 100 }

  it('is nothing without a maturity', () => expect(offeringOf(terms, 0, 1_000)).toBeNull())

  it('is the earlier of its own maturity and the last day of the market', () => {
    expect(offeringOf({ ...terms, terminalDueAt: 1_500 }, 0, 1_000)?.approximateDueAt).toBe(1_500)
    expect(offeringOf({ ...terms, maxLoanDuration: 400, terminalDueAt: 1_500 }, 0, 1_000)?.approximateDueAt).toBe(1_400)
    const both = offeringOf({ ...terms, maxLoanDuration: 900, terminalDueAt: 1_500 }, 650, 1_000)
    expect(both).toMatchObject({ approximateDueAt: 1_500, fixedRateBps: 650 })
  })
})
