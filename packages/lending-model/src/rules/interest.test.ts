import { expect, it } from 'vitest'
import {
  bookInterestScaledDown,
  curveRateDown,
  elapsedSeconds,
  loanInterestUp,
  utilizationDown,
  variableRateDown,
  wadPerBps,
} from './interest.ts'

const curve = { baseBps: 200n, multiplierBps: 1_000n, jumpBps: 10_000n, kinkBps: 8_000n }
const days = (count: bigint) => count * 86_400n

it('charges 961.643836 on 50000 at 650 bps over 108 days, rounded up', () => {
  expect(loanInterestUp(50_000_000_000n, 650n * wadPerBps * days(108n))).toBe(961_643_836n)
})

it('counts the same in the book rounded down, with nine more decimals', () => {
  const book = { variablePrincipal: 0n, variableRateWad: 0n, stampedPrincipalBps: 50_000_000_000n * 650n }
  expect(bookInterestScaledDown(book, days(108n))).toBe(961_643_835_616_438_356n)
})

it('does not run backwards', () => {
  expect(elapsedSeconds(100n, 99n)).toBe(0n)
})

it('has 450 bps at a quarter, 1000 at the kink, 3000 at the end', () => {
  const rates = [250n, 800n, 1_000n].map((borrowed) => curveRateDown(curve, utilizationDown(borrowed, 1_000n)))
  expect(rates).toEqual([450n * wadPerBps, 1_000n * wadPerBps, 3_000n * wadPerBps])
})

it('clamps variable loans, and leaves them the raw curve while new loans are stamped', () => {
  const clamped = { mode: 'CLAMPED', floorBps: 500n, capBps: 900n } as const
  expect(variableRateDown(curve, clamped, 250n, 1_000n)).toBe(500n * wadPerBps)
  expect(variableRateDown(curve, clamped, 1_000n, 1_000n)).toBe(900n * wadPerBps)
  expect(variableRateDown(curve, { mode: 'FIXED', fixedBps: 1n }, 250n, 1_000n)).toBe(450n * wadPerBps)
})

it('never asks for more than 500 percent', () => {
  const steep = { baseBps: 50_000n, multiplierBps: 50_000n, jumpBps: 0n, kinkBps: 10_000n }
  expect(variableRateDown(steep, { mode: 'CURVE' }, 1n, 1n)).toBe(50_000n * wadPerBps)
})
