import { describe, expect, it } from 'vitest'
import { inTurnFor } from './home.rules.ts'

const URLS = ['http://10.0.0.5:8080', 'http://10.0.0.6:8080', 'http://10.0.0.7:8080']
const LANES = Array.from(
  { length: 600 },
  (_, index) => `01a1ee0b-1b8f-7d79-8bfc-${index.toString(16).padStart(12, '0')}`,
)
const homeOf = (lane: string, urls: readonly string[]) => inTurnFor(lane, urls)[0]

describe('the home of a lane', () => {
  it('is the same whoever asks, in whatever order they know the servers', () => {
    for (const lane of LANES) expect(inTurnFor(lane, URLS.toReversed())).toEqual(inTurnFor(lane, URLS))
  })

  it('is each server for about as many lanes', () => {
    for (const count of [2, 3]) {
      const urls = URLS.slice(0, count)
      for (const url of urls) {
        const share = LANES.filter((lane) => homeOf(lane, urls) === url).length / LANES.length
        expect(Math.abs(share - 1 / count)).toBeLessThan(0.08)
      }
    }
  })

  it('moves for nobody but a server that comes or goes', () => {
    const [first = '', ...others] = URLS
    for (const lane of LANES) {
      const before = homeOf(lane, URLS)
      if (before !== first) expect(homeOf(lane, others)).toBe(before)
      else expect(homeOf(lane, others)).toBe(inTurnFor(lane, URLS)[1])
    }
  })
})
