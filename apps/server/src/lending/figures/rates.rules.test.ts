import { describe, expect, it } from 'vitest'
import { curveRateWad, offeredRateWad, supplyRateWad } from './rates.rules.ts'

const bps = (count: number) => BigInt(count) * 10n ** 14n
const curve = { baseBps: 200, multiplierBps: 1000, jumpBps: 10_000, kinkBps: 8000 }

describe('the rates of a market', () => {
  it('climb the curve, steeper above the kink, and end at the most that any loan pays', () => {
    const at = (utilization: number) => curveRateWad(curve, bps(utilization))
    expect([0, 2500, 8000, 9000, 10_000].map(at)).toEqual([200, 450, 1000, 2000, 3000].map(bps))
    expect(curveRateWad({ ...curve, jumpBps: 4_000_000 }, bps(10_000))).toBe(bps(50_000))
  })

  it('leave providers what the fees leave, on the part that is lent', () => {
    expect(supplyRateWad(bps(450), bps(2500), 0)).toBe(8_319_375_000_000_000n)
    expect(supplyRateWad(bps(1000), bps(10_000), 500)).toBe(bps(1000 * 0.7395 * 10_000 * 0.95) / 10_000n)
    expect(supplyRateWad(bps(1000), 0n, 0)).toBe(0n)
  })

  it('are the stamp for new loans where loans are stamped', () => {
    expect(offeredRateWad({ mode: 2, fixedBps: 777 }, bps(450))).toBe(bps(777))
    expect(offeredRateWad({ mode: 1, fixedBps: 0 }, bps(450))).toBe(bps(450))
  })
})
