import { describe, expect, it } from 'vitest'
import { browserOf, showAmount, showBps, showDistance, showDuration, showWords, withoutTurning } from './format.ts'

describe('figures as text', () => {
  it('are short on screen and exact behind it', () => {
    expect(showAmount('1234567.891234567891234567')).toEqual({
      short: '1,234,567.89',
      exact: '1,234,567.891234567891234567',
    })
    expect(showAmount('0.000012345678')).toEqual({ short: '0.00001234', exact: '0.000012345678' })
    expect(showAmount('0')).toEqual({ short: '0.00', exact: '0' })
    expect(showAmount(null).short).toBe('–')
  })

  it('turn basis points into percent', () => {
    expect(showBps('944.4352')).toEqual({ short: '9.44 %', exact: '9.444352 %' })
    expect(showBps(10_000).short).toBe('100.00 %')
  })

  it('say how far away a time is, and how long one lasts', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    expect(showDistance(new Date('2026-01-03T01:00:00Z'), now)).toMatch(/2/)
    expect(showDuration('7776000')).toBe('90 days')
    expect(showDuration('0')).toBe('none')
  })

  it('name browsers and things of the interface in words', () => {
    const chromium =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
    expect(browserOf(chromium)).toBe('Chrome, Linux')
    expect(browserOf('curl/8.5.0')).toBe('curl/8.5.0')
    expect(browserOf(null)).toBe('–')
    expect(showWords('DEFAULT_ADMIN_ROLE')).toBe('Default admin role')
    expect(showWords('identityRegistry')).toBe('Identity registry')
  })

  it('are not turned by a name beside them', () => {
    expect(withoutTurning('Nord\u202Ekniw\u2066 12.50')).toBe('Nord\uFFFDkniw\uFFFD 12.50')
    // Letters that are written from right to left are nobody's trick.
    expect(withoutTurning('\u05d1\u05e0\u05e7')).toBe('\u05d1\u05e0\u05e7')
  })
})
