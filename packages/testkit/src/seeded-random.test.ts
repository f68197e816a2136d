import { describe, expect, it } from 'vitest'
import { wallet } from './chain/wallet.ts'
import { seededRandom } from './seeded-random.ts'

describe('seededRandom', () => {
  it('repeats itself for the same seed and differs for another', () => {
    const draw = (seed: number) => Array.from({ length: 20 }, seededRandom(seed).next)
    expect(draw(7)).toEqual(draw(7))
    expect(draw(7)).not.toEqual(draw(8))
  })

  it('spreads evenly over a range and stays inside', () => {
    const random = seededRandom(1)
    const seen = new Array<number>(10).fill(0)
    for (let round = 0; round < 10_000; round++) {
      const drawn = random.integer(0, 9)
      seen[drawn] = (seen[drawn] ?? 0) + 1
    }
    expect(seen).toHaveLength(10)
    for (const times of seen) expect(Math.abs(times - 1000)).toBeLessThan(150)
    for (let round = 0; round < 1000; round++) {
      const big = random.bigint(5n, 10n ** 30n)
      expect(big >= 5n && big <= 10n ** 30n).toBe(true)
    }
    expect(random.shuffled([1, 2, 3, 4]).sort()).toEqual([1, 2, 3, 4])
    expect(random.hex(20)).toMatch(/^0x[0-9a-f]{40}$/)
  })
})

describe('wallet', () => {
  it('gives the accounts of the development mnemonic', () => {
    expect(wallet(0).address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(wallet(0).privateKey).toBe('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
  })
})
