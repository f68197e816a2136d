import { describe, expect, it } from 'vitest'
import { MOST_ATTEMPTS, nextAttempt } from './retry.rules.ts'

describe('the pauses between attempts', () => {
  it('grow from five seconds to eight hours, spread by a tenth, and end', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const seconds = (chance: number) =>
      Array.from({ length: MOST_ATTEMPTS }, (_, index) => {
        const next = nextAttempt(index + 1, now, chance)
        return next && (next.getTime() - now.getTime()) / 1000
      })
    expect(seconds(0.5)).toEqual([5, 30, 120, 600, 1_800, 3_600, 10_800, 28_800, null])
    expect(seconds(0).slice(0, 2)).toEqual([4.5, 27])
    expect(seconds(1).slice(0, 2)).toEqual([5.5, 33])
  })
})
