import { describe, expect, it } from 'vitest'
import { poolFigures, shareValueDown } from './figures.ts'
import { initialState } from './initial-state.ts'
import { addLiquidity, removeLiquidity } from './liquidity.ts'
import { openLoan, repay, withdrawCollateral } from './loans.ts'
import { updatePrice } from './oracle.ts'
import { attempt } from './refusal.ts'
import { settleLiquidation, withdrawCollateralForSale } from './router.ts'
import { liquidate } from './seizure.ts'
import type { LendingState, Turn } from './state.ts'

const units = (value: number) => BigInt(Math.round(value * 1e6))
const tokens = (count: bigint) => count * 10n ** 18n
const year = 365n * 86_400n
const start = 1_800_000_000n

/** A pool of a million, a loan of a quarter of it against 5000 tokens at 100. */
function lentOut(): LendingState {
  const parties = ['lender', 'borrower', 'seller']
  const state = initialState({
    assetDecimals: 6n,
    collateralDecimals: 18n,
    openFee: 0n,
    repayFee: 0n,
    curve: { baseBps: 200n, multiplierBps: 1_000n, jumpBps: 10_000n, kinkBps: 8_000n },
    maxLoanDuration: 0n,
    initialPrice: units(100),
    deployedAt: start - 1n,
    operator: 'lender',
    assets: new Map(parties.map((party) => [party, units(2_000_000)])),
    collaterals: new Map([['borrower', tokens(10_000n)]]),
  })
  addLiquidity(turn(state, 'lender', start), units(1_000_000))
  openLoan(turn(state, 'borrower', start), tokens(5_000n), units(250_000))
  return state
}

function turn(state: LendingState, caller: string, now: bigint): Turn {
  return { state, caller, now }
}

describe('a year of interest', () => {
  it('is 4.5 percent, of which the share price counts what providers get', () => {
    const figures = poolFigures(lentOut(), start + year)
    expect(figures.interestGross).toBe(units(11_250))
    expect(figures.totalAssets).toBe(units(1_008_319.375))
  })

  it('is split when it is paid, and the share price stays', () => {
    const state = lentOut()
    const shares = tokens(1_000_000n)
    const before = shareValueDown(state, shares, start + year)
    repay(turn(state, 'borrower', start + year), 1n, units(300_000))
    expect(shareValueDown(state, shares, start + year)).toBe(before)
    expect(poolFigures(state, start + year)).toMatchObject({
      cash: units(1_008_319.375),
      infrastructureFees: units(1_687.5),
      operatorFees: units(765),
      distributorFees: units(478.125),
      activeLoans: 0n,
    })
    expect(state.collaterals.get('borrower')).toBe(tokens(10_000n))
  })
})

describe('refusals', () => {
  it('leave the state as it was', () => {
    const state = lentOut()
    const now = start + 60n
    // 250000 / 85 % / 100 = 2941.18 tokens have to stay.
    const outcome = attempt(state, (draft) => withdrawCollateral(turn(draft, 'borrower', now), 1n, tokens(2_100n)))
    expect(outcome).toEqual({ state, refusal: 'WouldBreachHealth' })
  })

  it('do not pay out what is lent', () => {
    const whole = tokens(1_000_000n)
    const outcome = attempt(lentOut(), (draft) => removeLiquidity(turn(draft, 'lender', start), whole))
    expect(outcome.refusal).toBe('InsufficientLiquidity')
  })
})

describe('a realization', () => {
  it('claims half, carries it at the floor, and pays claim and penalty to the pool', () => {
    const state = lentOut()
    updatePrice(turn(state, 'signer', start), units(58))
    liquidate(turn(state, 'liquidator', start), 1n)
    const record = state.realizations.get(1n)
    // 125000 x 1.05 / 58 = 2262.93 tokens; at 55.10 they are worth 124687.5.
    expect(record).toMatchObject({ claim: units(125_000), principalOwed: units(125_000), totalDebt: units(250_000) })
    expect(record?.carried).toBe(units(124_687.5))
    const taken = state.collaterals.get('router') ?? 0n
    expect(taken).toBe(2_262_931_034_482_758_620_690n)
    withdrawCollateralForSale(turn(state, 'seller', start), 1n, taken)
    settleLiquidation(turn(state, 'seller', start), 1n, units(131_250))
    expect(poolFigures(state, start)).toMatchObject({ cash: units(881_250), carriedClaims: 0n, heldProceeds: 0n })
  })
})
