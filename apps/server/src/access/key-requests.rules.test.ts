import { describe, expect, it } from 'vitest'
import { createNewest } from './key-requests.rules.ts'

describe('the newest of each key', () => {
  it('are kept, in their order, and forgotten when taken', () => {
    const newest = createNewest<number>(3)
    for (let n = 1; n <= 20; n += 1) {
      newest.add('busy', n)
      if (n === 10) newest.add('quiet', 0)
    }
    expect(newest.take()).toEqual([18, 19, 20, 0])
    expect(newest.take()).toEqual([])
  })

  it('hold at every count', () => {
    for (let count = 0; count <= 25; count += 1) {
      const newest = createNewest<number>(4)
      const all = Array.from({ length: count }, (_, n) => n)
      for (const n of all) newest.add('key', n)
      expect(newest.take()).toEqual(all.slice(-4))
    }
  })
})
