import { describe, expect, it } from 'vitest'
import { type GasPeers, gasDifferences, gasRows, missedBars } from './figures.ts'

const PEERS: GasPeers = {
  peers: ['Theirs'],
  operations: [{ ours: 'repay', theirs: 'repay, partial', peers: [84_000], bar: 120_000 }],
  atMostAbove: [{ ours: 'open frozen', base: 'open', gas: 50_000 }],
}
const figures = (record: Record<string, number>) => new Map(Object.entries(record))
const missedWith = (record: Record<string, number>) => missedBars(gasRows(figures(record), PEERS))

describe('gas against its bars', () => {
  it('meets a bar to the unit', () => {
    expect(missedWith({ repay: 120_000, open: 240_000, 'open frozen': 290_000 })).toEqual([])
  })

  it('misses a bar by one, the absolute one and the one above another figure', () => {
    expect(missedWith({ repay: 120_001, open: 240_000, 'open frozen': 290_001 })).toEqual([
      'repay: 120,001, the bar is 120,000',
      'open frozen: 290,001, the bar is 290,000',
    ])
  })

  it('misses a bar whose figure, or whose base, is not measured', () => {
    expect(missedWith({ 'open frozen': 1 })).toEqual([
      'repay: not measured, the bar is 120,000',
      'open frozen: 1, the bar is unknown',
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
