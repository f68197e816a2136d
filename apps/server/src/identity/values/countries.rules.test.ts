import { describe, expect, it } from 'vitest'
import { alpha3Of, countryOf } from './countries.rules.ts'

describe('countries', () => {
  it('are read in all three forms', () => {
    const belgium = { alpha2: 'BE', alpha3: 'BEL', numeric: 56 }
    for (const text of ['BE', 'be', 'BEL', 'bel', '056', '56', 56]) expect(countryOf(text)).toEqual(belgium)
    expect(alpha3Of(756)).toBe('CHE')
  })

  it('are the 249 of ISO 3166-1, as the platform knows them too', () => {
    const numbers = Array.from({ length: 1_000 }, (_, number) => number).filter((number) => countryOf(number))
    expect(numbers).toHaveLength(249)
    for (const number of numbers) {
      const region = new Intl.Locale(`und-${String(number).padStart(3, '0')}`).region
      expect([number, region]).toEqual([number, countryOf(number)?.alpha2])
    }
  })

  it('are no more than that', () => {
    for (const text of ['XX', 'EU', 'UK', 'D', '', 'DEUT', '000', 0, 999, '-1', '1.5', '２７６'])
      expect(countryOf(text)).toBeNull()
    expect([alpha3Of(0), alpha3Of(1)]).toEqual([null, null])
  })
})
