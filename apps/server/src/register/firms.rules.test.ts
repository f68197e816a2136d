import { describe, expect, it } from 'vitest'
import { firmsOf } from './firms.rules.ts'
import { canBeOne } from './names.rules.ts'

/** Which of the names are of one firm, in their order. */
const together = (names: readonly string[]) => {
  const firms = firmsOf(names)
  return [...new Set(firms)].map((firm) => names.filter((_, place) => firms[place] === firm))
}

describe('the firms behind names under one identifier', () => {
  it('are found by signs, spaces, legal form, what is added, and misspelt letters', () => {
    const nordwind = ['Nordwind GmbH', 'NORDWIND G.m.b.H.', 'Nord wind AG', 'Nordwind Handel GmbH', 'Nordwnd']
    expect(together([...nordwind, 'Beta AG', 'Zeta AG'])).toEqual([nordwind, ['Beta AG'], ['Zeta AG']])
  })

  it('are one through a third name, whichever comes first', () => {
    const names = ['Nordwind Handel GmbH', 'Nordwind Verwahrung GmbH', 'Nordwind']
    expect(together(names)).toEqual([names])
    expect(together([...names].reverse())).toEqual([[...names].reverse()])
    expect(together(names.slice(0, 2))).toHaveLength(2)
  })

  it('agree with a comparison of every name with every other', () => {
    const words = ['Nord', 'Nort', 'Wind', 'Winde', 'Handel', 'AG', 'GmbH', '!']
    const names = words.flatMap((one) => words.slice(0, 4).map((other) => `${one} ${other}`)).slice(0, 32)
    const firms = firmsOf(names)
    const reached = new Set([0])
    for (const place of reached)
      for (const [other, name] of names.entries()) if (canBeOne(names[place] ?? '', name)) reached.add(other)
    expect(names.filter((_, place) => firms[place] === firms[0])).toEqual(
      names.filter((_, place) => reached.has(place)),
    )
    for (const [place, one] of names.entries())
      for (const [other, name] of names.entries()) if (canBeOne(one, name)) expect(firms[place]).toBe(firms[other])
  })

  it('take no more comparisons for 20,000 names than for 32', () => {
    const compared = (count: number) => {
      let steps = 0
      const names = Array.from({ length: count }, (_, place) => `Firm ${place.toString(36).padStart(12, '0')}`)
      const firms = firmsOf(names, () => {
        steps += 1
        return false
      })
      expect(new Set(firms).size).toBe(count)
      return steps
    }
    expect(compared(32)).toBe((32 * 31) / 2)
    expect(compared(20_000)).toBe(compared(32))
  })
})
