import { describe, expect, it } from 'vitest'
import { finalityHeights, finalityOf } from './finality.rules.ts'

describe('where an event stands', () => {
  const event = { blockNumber: 10n, blockHash: '0xaa' }

  it.each([
    [9n, 9n, 'MINED'],
    [10n, 9n, 'SAFE'],
    [10n, 10n, 'FINALIZED'],
    [12n, 11n, 'FINALIZED'],
  ])('with blocks safe up to %d and final up to %d is %s', (safe, finalized, expected) => {
    expect(finalityOf(event, '0xaa', { safe, finalized })).toBe(expected)
  })

  it('is ORPHANED under another block or beyond the end of the chain, however old it is', () => {
    const heights = { safe: 100n, finalized: 100n }
    expect(finalityOf(event, '0xbb', heights)).toBe('ORPHANED')
    expect(finalityOf(event, null, heights)).toBe('ORPHANED')
  })

  it('follows each tag that the chain has, and counts confirmations for one that it lacks', () => {
    expect(finalityHeights(20n, { safe: 15n, finalized: 12n }, 6)).toEqual({ safe: 15n, finalized: 12n })
    expect(finalityHeights(20n, { safe: null, finalized: null }, 6)).toEqual({ safe: 14n, finalized: 14n })
    expect(finalityHeights(20n, { safe: null, finalized: 12n }, 6)).toEqual({ safe: 14n, finalized: 12n })
    expect(finalityHeights(20n, { safe: 0n, finalized: 0n }, 6)).toEqual({ safe: 0n, finalized: 0n })
  })
})
