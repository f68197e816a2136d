import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import {
  divideDown,
  exact,
  isMultiple,
  isWorthless,
  less,
  minus,
  notionalDown,
  plus,
  timesOverDown,
} from './amounts.ts'

const random = seededRandom(1)
/** Small, around 2^53 and up to 2^63, so that every path is taken. */
const drawn = () => random.bigint(0n, 2n ** BigInt(random.pick([4, 20, 31, 40, 52, 53, 54, 63])))
const rounds = Array.from({ length: 20_000 }, () => [drawn(), drawn()] as const)

describe('amounts', () => {
  it('are numbers up to 2^53 - 1 and bigints above, so that equal ones are identical', () => {
    expect(exact(2n ** 53n - 1n)).toBe(9007199254740991)
    expect(exact(2n ** 53n)).toBe(2n ** 53n)
    expect(plus(9007199254740991, 1)).toBe(2n ** 53n)
    expect(minus(2n ** 53n, 1)).toBe(9007199254740991)
    expect(minus(1, 2n ** 53n)).toBe(-9007199254740991)
  })

  it('cost what bigints say they cost', () => {
    for (const [a, b] of rounds) expect(notionalDown(exact(a), exact(b))).toBe(exact((a * b) / 1_000_000n))
  })

  it('add, subtract and divide like bigints', () => {
    for (const [a, b] of rounds) {
      expect(plus(exact(a), exact(b))).toBe(exact(a + b))
      expect(minus(exact(a), exact(b))).toBe(exact(a - b))
      expect(less(exact(a), exact(b))).toBe(exact(a - b))
      expect(timesOverDown(exact(a), 37, 10_000)).toBe(exact((a * 37n) / 10_000n))
      expect(isWorthless(exact(a), exact(b))).toBe(a * b < 1_000_000n)
      if (b > 0n) expect(isMultiple(exact(a), exact(b))).toBe(a % b === 0n)
    }
  })

  it('are divided exactly next to every integer, up to 2^53', () => {
    for (const divisor of [3, 7, 10_000, 1_000_000, 999_983])
      for (let round = 0; round < 2_000; round += 1) {
        const quotient = random.bigint(1n, (2n ** 53n - 1n) / BigInt(divisor))
        const product = Number(quotient * BigInt(divisor))
        expect(divideDown(product, divisor)).toBe(Number(quotient))
        expect(divideDown(product - 1, divisor)).toBe(Number(quotient) - 1)
      }
  })

  it('of a trade: 2.5 at 40 is 100, and what is below one unit is dropped', () => {
    expect(notionalDown(2_500_000, 40_000_000)).toBe(100_000_000)
    expect(notionalDown(3, 333_333)).toBe(0)
  })
})
