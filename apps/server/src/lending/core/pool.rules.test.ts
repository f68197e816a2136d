import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import { accrualUp, partBps, payableSharesDown, poolForDeposit, poolSharePrice, poolValueDown } from './pool.rules.ts'

describe('the shares of a pool', () => {
  it.each([6, 8, 18])('are payable up to exactly what cash covers (%i decimals)', (decimals) => {
    const random = seededRandom(decimals)
    const raw = () => BigInt(random.integer(1, 2 ** 40)) * BigInt(random.integer(1, 2 ** 40))
    for (let run = 0; run < 200; run++) {
      const cash = raw()
      const pool = { cash, totalAssets: cash + raw(), totalShares: raw() * 10n ** BigInt(18 - decimals) }
      const most = payableSharesDown(pool, decimals)
      expect(poolValueDown(most, pool, decimals)).toBeLessThanOrEqual(cash)
      expect(poolValueDown(most + 1n, pool, decimals)).toBeGreaterThan(cash)
    }
  })

  it('cost one unit in an empty pool and in one that was lost', () => {
    const lost = { cash: 0n, totalAssets: 9n, totalShares: 10n ** 19n }
    expect(poolForDeposit(lost, 6)).toEqual({ totalShares: 0n, totalAssets: 0n, startsNewEpoch: true })
    expect(poolForDeposit({ ...lost, totalAssets: 10n }, 6).startsNewEpoch).toBe(false)
    expect(poolSharePrice({ totalAssets: 0n, totalShares: 0n }, 6)).toBe('1')
    expect(poolSharePrice({ totalAssets: 1_500_000_000n, totalShares: 10n ** 21n }, 6)).toMatch(/^1[.]4999999995/)
    expect(partBps(1n, 0n)).toBe(0)
  })

  it('grow at most by the highest rate that any loan carries, rounded up', () => {
    const wad = 10n ** 18n
    expect(accrualUp(1_000_000n, wad / 10n, 0n, 365n * 86_400n)).toBe(100_000n)
    expect(accrualUp(1_000_000n, wad / 10n, 5_000n, 365n * 86_400n)).toBe(500_000n)
    expect(accrualUp(1n, wad / 10n, 0n, 1n)).toBe(1n)
    expect(accrualUp(0n, wad, 10_000n, 120n)).toBe(0n)
  })
})
