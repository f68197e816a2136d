import { describe, expect, it } from 'vitest'
import { missedBars } from './scenario.ts'

describe('bars of a scenario', () => {
  it('are missed by what is worse, and by what was not measured', () => {
    expect(missedBars({ gapMs: 100, failed: 0 }, [{ gapMs: 100, failed: 0 }])).toEqual([])
    expect(missedBars({ gapMs: 100 }, [{ gapMs: 101 }])).toEqual(['gapMs is 101, and 100 at most was wanted'])
    expect(missedBars({ gapMs: 100 }, [{}])).toHaveLength(1)
    expect(missedBars({ gapMs: 100 }, [{ gapMs: Number.NaN }])).toHaveLength(1)
    expect(missedBars({ gapMs: 100 }, [])).toHaveLength(1)
  })

  it('are for nineteen times in twenty: one may be worse, two may not, and of fewer none', () => {
    const times = (...worse: number[]) => [...Array.from({ length: 20 - worse.length }, () => 90), ...worse]
    const missed = (values: readonly number[]) =>
      missedBars(
        { gapMs: 100 },
        values.map((gapMs) => ({ gapMs })),
      )
    expect(missed(times(300))).toEqual([])
    expect(missed(times(300, 101))).toEqual(['gapMs is 101, and 100 at most was wanted'])
    expect(missed(times(300).slice(1))).toEqual(['gapMs is 300, and 100 at most was wanted'])
  })
})
