import { describe, expect, it } from 'vitest'
import { add, compare, divide, parseDecimal, plainDecimal, times, writeDecimal } from './decimal.ts'

const decimal = (text: string) => {
  const value = parseDecimal(text)
  if (value === undefined) throw new Error(`${text} is no decimal`)
  return value
}

describe('decimals', () => {
  it('keep digits that a floating-point number would lose', () => {
    const text = '123456789012345678901234567890.000000000000000001'
    expect(plainDecimal(decimal(text))).toBe(text)
    expect(plainDecimal(add(decimal(text), decimal('0.000000000000000001')))).toBe(
      '123456789012345678901234567890.000000000000000002',
    )
    expect(plainDecimal(times(decimal('0.1'), decimal('0.2')))).toBe('0.02')
  })

  it('refuse what is none', () => {
    for (const text of ['', '1e3', '1,5', '.5', '5.', '0x10', 'NaN', '1 000'])
      expect(parseDecimal(text)).toBeUndefined()
  })

  it('are grouped, and shortened towards zero', () => {
    expect(writeDecimal(decimal('1234567.899'), { digits: 2, least: 2 })).toBe('1,234,567.89')
    expect(writeDecimal(decimal('-0.5'))).toBe('−0.5')
    expect(writeDecimal(decimal('1000'), { least: 2 })).toBe('1,000.00')
  })

  it('are compared and divided across scales', () => {
    expect(compare(decimal('1.0'), decimal('1'))).toBe(0)
    expect(compare(decimal('0.999'), decimal('1'))).toBe(-1)
    expect(plainDecimal(divide(decimal('1'), decimal('3'), 4))).toBe('0.3333')
    expect(plainDecimal(divide(decimal('100.000001'), decimal('0.5'), 2))).toBe('200')
  })
})
