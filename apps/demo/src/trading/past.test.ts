import { describe, expect, it } from 'vitest'
import { pastTrades, pastUntil } from './past.ts'

const NOW = new Date('2026-03-01T12:34:56Z')

describe('the past of a book', () => {
  it('is three weeks long, ends before now, and is the same every time', () => {
    const steps = pastUntil(NOW)
    expect(pastUntil(NOW)).toEqual(steps)
    expect(steps[0]?.at.toISOString()).toBe('2026-02-08T12:34:56.000Z')
    expect(steps.at(-1)?.at.toISOString()).toBe('2026-03-01T11:34:56.000Z')
    expect(steps.map(({ at }) => at.getTime())).toEqual(steps.map(({ at }) => at.getTime()).toSorted((a, b) => a - b))
    expect(pastTrades).toBe(steps.length * 4)
  })

  it('stays within the band of the book, goes on where it closed, and ends at its price', () => {
    const steps = pastUntil(NOW)
    for (const [index, { bps }] of steps.entries()) {
      expect(Math.max(...bps.map(Math.abs))).toBeLessThan(2_000)
      expect(bps[0]).toBe(steps[index - 1]?.bps.at(-1) ?? bps[0])
    }
    expect(steps.at(-1)?.bps.at(-1)).toBe(0)
  })
})
