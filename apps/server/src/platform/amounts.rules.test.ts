import { seededRandom } from '@tallystick/testkit'
import { DecimalString } from '@tallystick/wire'
import { describe, expect, it } from 'vitest'
import { formatUnits, parseUnits } from './amounts.rules.ts'

describe('an amount as decimal string', () => {
  it.each([
    [0n, 0, '0'],
    [0n, 18, '0'],
    [1n, 0, '1'],
    [1000n, 0, '1000'],
    [1n, 18, '0.000000000000000001'],
    [500_000n, 6, '0.5'],
    [1_000_000n, 6, '1'],
    [1_230_000n, 6, '1.23'],
    [10n, 1, '1'],
    [100n, 1, '10'],
    [-1n, 6, '-0.000001'],
    [-1_500_000n, 6, '-1.5'],
    [2n ** 256n - 1n, 77, '1.15792089237316195423570985008687907853269984665640564039457584007913129639935'],
    [2n ** 256n - 1n, 0, '115792089237316195423570985008687907853269984665640564039457584007913129639935'],
  ])('writes %s with %s decimals as %s', (raw, decimals, text) => {
    expect(formatUnits(raw, decimals)).toBe(text)
  })

  it('loses nothing and stays canonical for any amount', () => {
    const random = seededRandom(11)
    const canonical = new RegExp((DecimalString as unknown as { pattern: string }).pattern)
    for (let turn = 0; turn < 2_000; turn++) {
      const raw = random.bigint(0n, 2n ** BigInt(random.integer(1, 256)) - 1n)
      const decimals = random.integer(0, 77)
      const text = formatUnits(raw, decimals)
      expect(text).toMatch(canonical)
      const [whole = '', fraction = ''] = text.split('.')
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(raw)
    }
  })
})

describe('a decimal string as an amount', () => {
  it.each([
    ['0', 6, 0n],
    ['1', 6, 1_000_000n],
    ['0.5', 6, 500_000n],
    ['007.10', 6, 7_100_000n],
    ['115792089237316195.423570985008687907', 18, 115_792_089_237_316_195_423_570_985_008_687_907n],
  ])('reads %s with %s decimals as %s', (text, decimals, raw) => {
    expect(parseUnits(text, decimals)).toBe(raw)
  })

  it.each(['', '-1', '+1', '1e3', '.5', '1.', ' 1', '1,5', '0x10', 'NaN', '1.0000001'])('refuses "%s"', (text) => {
    expect(parseUnits(text, 6)).toBeNull()
  })

  it('refuses what no contract can hold, and nothing smaller', () => {
    const largest = (2n ** 256n - 1n).toString().padStart(78, '0')
    const [whole, fraction] = [largest.slice(0, 60), largest.slice(60)]
    expect(parseUnits(`${whole}.${fraction}`, 18)).toBe(2n ** 256n - 1n)
    expect(parseUnits(`${whole}.${(BigInt(fraction) + 1n).toString()}`, 18)).toBeNull()
  })
})
