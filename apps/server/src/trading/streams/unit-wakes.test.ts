import { describe, expect, it } from 'vitest'
import { createUnitWakes } from './unit-wakes.ts'

/** Wakes on a clock that is moved by hand. */
function setUp() {
  const timers: { at: number; work: () => void }[] = []
  const words: string[] = []
  let now = 0
  const signals = {
    send: (_channel: string, word: string) => void words.push(`${now} ${word}`),
    listen: () => () => {},
    close: async () => {},
  }
  const wakes = createUnitWakes(
    { signals },
    { elapsed: () => now, after: (milliseconds, work) => void timers.push({ at: now + milliseconds, work }) },
  )
  return {
    wakes,
    words,
    /** How many are waited for. */
    timers,
    now: () => now,
    pass(milliseconds: number): void {
      now += milliseconds
      for (const { work } of timers.splice(0).filter((one) => one.at <= now || !timers.push(one))) work()
    },
  }
}

describe('the news of a unit', () => {
  it('wake who listens here at once, and once for all that soon follow', () => {
    const { wakes, now, pass } = setUp()
    const looks: number[] = []
    const hush = wakes.onNews('a', () => looks.push(now()))
    wakes.committed('a')
    wakes.committed('a')
    expect(looks).toEqual([0])
    pass(10)
    wakes.committed('a')
    pass(10)
    expect(looks).toEqual([0, 20])
    pass(20)
    expect(looks).toEqual([0, 20])
    wakes.committed('a')
    expect(looks).toEqual([0, 20, 40])
    hush()
    pass(100)
    wakes.committed('a')
    expect(looks).toEqual([0, 20, 40])
  })

  it('are told to others at once, and a few times a second for each unit that is busy', () => {
    const { wakes, words, timers, pass } = setUp()
    for (let commit = 0; commit < 50; commit += 1) {
      wakes.committed('a')
      pass(10)
    }
    wakes.committed('b')
    expect(words).toEqual(['0 a', '200 a', '400 a', '500 b'])
    pass(100)
    pass(200)
    expect(words.slice(4)).toEqual(['600 a'])
    pass(200)
    expect(timers).toEqual([])
  })
})
