import { describe, expect, it } from 'vitest'
import { type GasPeers, gasDifferences, gasRows, missedBars } from './figures.ts'

const PEERS: GasPeers = {
  peers: ['Theirs'],
  operations: [
    { ours: 'repay', theirs: 'repay, partial', peers: [84_000], bar: 120_000 },
    { ours: 'supply', theirs: 'supply, repeat', peers: [84_000], bar: 100_000, only: 'repeat' },
  ],
  atMostAbove: [{ ours: 'open frozen', base: 'open', gas: 50_000 }],
}
const figures = (record: Record<string, number>) => new Map(Object.entries(record))
const missedWith = (record: Record<string, number>) => missedBars(gasRows(figures(record), PEERS))

describe('gas against its bars', () => {
  const met = {
    'repay first': 120_000,
    'repay repeat': 120_000,
    'supply repeat': 100_000,
    'open repeat': 240_000,
    'open frozen repeat': 290_000,
  }

  it('meets a bar to the unit, at both uses or at the one that it is about', () => {
    expect(missedWith({ ...met, 'supply first': 200_000, 'open frozen first': 400_000 })).toEqual([])
  })

  it('misses a bar by one, the absolute one and the one above another figure', () => {
    expect(
      missedWith({ ...met, 'repay first': 120_001, 'supply repeat': 100_001, 'open frozen repeat': 290_001 }),
    ).toEqual([
      'repay, first use: 120,001, the bar is 120,000',
      'supply, repeat use: 100,001, the bar is 100,000',
      'open frozen, repeat use: 290,001, the bar is 290,000',
    ])
  })

  it('misses a bar whose figure, or whose base, is not measured', () => {
    expect(missedWith({ 'repay repeat': 1, 'supply repeat': 1, 'open frozen repeat': 1 })).toEqual([
      'repay, first use: not measured, the bar is 120,000',
      'open frozen, repeat use: 1, the bar is unknown',
    ])
  })
})

describe('gas against the committed figures', () => {
  it('says nothing when nothing differs', () => {
    expect(gasDifferences(figures({ repay: 1 }), figures({ repay: 1 }))).toEqual([])
  })

  it('has one line for each figure that rose, fell, appeared or went', () => {
    const committed = figures({ dear: 1_000, cheap: 1_000, gone: 5, same: 7 })
    expect(gasDifferences(committed, figures({ dear: 1_200, cheap: 900, fresh: 3, same: 7 }))).toEqual([
      'cheap: committed 1,000, now 900 (-100)',
      'dear: committed 1,000, now 1,200 (+200)',
      'fresh: 3 is not committed',
      'gone: committed as 5, no longer measured',
    ])
  })
})
