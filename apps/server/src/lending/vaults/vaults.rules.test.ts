import { describe, expect, it } from 'vitest'
import { ANNOUNCEMENT_WAIT, capStep, closedFor, weaknessesOf } from './vaults.rules.ts'

const none = { cap: 0n, readyAt: 0, lapsesAt: 0 }
const announced = { cap: 100n, readyAt: 1_000, lapsesAt: 1_000 + ANNOUNCEMENT_WAIT }

describe('a cap', () => {
  it.each([
    ['of a vault that announces nothing is set', { cap: 5n, previous: 0n, announcement: null, now: 0 }, 'SET'],
    ['that is lower is set', { cap: 5n, previous: 6n, announcement: announced, now: 0 }, 'SET'],
    ['of nothing, where nothing is announced, is set', { cap: 0n, previous: 0n, announcement: none, now: 0 }, 'SET'],
    ['of nothing takes an announcement back', { cap: 0n, previous: 0n, announcement: announced, now: 0 }, 'CANCEL'],
    ['that is higher is announced', { cap: 7n, previous: 6n, announcement: none, now: 0 }, 'ANNOUNCE'],
    ['that is announced waits', { cap: 100n, previous: 6n, announcement: announced, now: 999 }, 'WAIT'],
    ['above what is announced starts over', { cap: 101n, previous: 6n, announcement: announced, now: 999 }, 'ANNOUNCE'],
    ['is set when it is ready', { cap: 100n, previous: 6n, announcement: announced, now: 1_000 }, 'SET'],
    ['below what is announced is set then too', { cap: 99n, previous: 6n, announcement: announced, now: 1_000 }, 'SET'],
    [
      'that has lapsed is announced anew',
      { cap: 100n, previous: 6n, announcement: announced, now: announced.lapsesAt },
      'ANNOUNCE',
    ],
  ] as const)('%s', (_, question, step) => expect(capStep(question)).toBe(step))
})

describe('a vault', () => {
  it('is closed while it is paused, or a market does not answer', () => {
    expect(closedFor({ depositsPaused: true, unreadableMarkets: ['0x1'] })).toBe('DEPOSITS_PAUSED')
    expect(closedFor({ depositsPaused: false, unreadableMarkets: ['0x1'] })).toBe('MARKET_UNREADABLE')
    expect(closedFor({ depositsPaused: false, unreadableMarkets: [] })).toBeNull()
  })

  it('has weaknesses only in the first generation, each with a way out', () => {
    expect(weaknessesOf(1).every(({ message, remedy }) => message !== '' && remedy !== '')).toBe(true)
    expect(weaknessesOf(2)).toEqual([])
  })
})
