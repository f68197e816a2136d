import { describe, expect, it } from 'vitest'
import { planScans } from './scan-plan.rules.ts'

describe('planning what to read', () => {
  it('reads contracts together that were read equally far', () => {
    const watched = [
      { address: 'a', scannedTo: 9n },
      { address: 'b', scannedTo: 4n },
      { address: 'c', scannedTo: 9n },
    ]
    expect(planScans(watched, 10n, 100n)).toEqual([
      { addresses: ['a', 'c'], from: 9n, to: 10n },
      { addresses: ['b'], from: 4n, to: 10n },
    ])
  })

  it('asks for no more blocks at once than a node serves', () => {
    expect(planScans([{ address: 'a', scannedTo: 0n }], 10n, 4n)).toEqual([{ addresses: ['a'], from: 0n, to: 4n }])
    expect(planScans([{ address: 'a', scannedTo: 6n }], 10n, 4n)).toEqual([{ addresses: ['a'], from: 6n, to: 10n }])
  })

  it('leaves out contracts that were read up to there or further', () => {
    const watched = [
      { address: 'a', scannedTo: 10n },
      { address: 'b', scannedTo: 12n },
    ]
    expect(planScans(watched, 10n, 4n)).toEqual([])
  })
})
