import { describe, expect, it } from 'vitest'
import { missedBars } from './scenario.ts'

describe('bars of a scenario', () => {
  it('are missed by what is worse, and by what was not measured', () => {
    expect(missedBars({ gapMs: 100, failed: 0 }, { gapMs: 100, failed: 0 })).toEqual([])
    expect(missedBars({ gapMs: 100 }, { gapMs: 101 })).toEqual(['gapMs is 101, and 100 at most was wanted'])
    expect(missedBars({ gapMs: 100 }, {})).toHaveLength(1)
    expect(missedBars({ gapMs: 100 }, { gapMs: Number.NaN })).toHaveLength(1)
  })
})
