import { describe, expect, it } from 'vitest'
import { readSizes, SizeError } from './sizes.ts'

describe('the sizes of the scale suite', () => {
  it('are these, unless told otherwise', () => {
    expect(readSizes({})).toEqual({
      parts: ['loans', 'tenants', 'listeners', 'servers'],
      ...{ loans: 200_000, tenants: 10_000, idle: 10_000, busy: 1_000 },
    })
    expect(readSizes({ BENCH_LOANS: '5000', BENCH_IDLE: '10' })).toMatchObject({
      loans: 5000,
      tenants: 10_000,
      idle: 10,
    })
  })

  it('name the parts to measure, in their own order', () => {
    expect(readSizes({ BENCH_SCALE: 'servers,loans' }).parts).toEqual(['loans', 'servers'])
  })

  it.each([
    { BENCH_LOANS: '0' },
    { BENCH_LOANS: '1e6' },
    { BENCH_TENANTS: '' },
    { BENCH_BUSY: '10000000' },
    { BENCH_SCALE: 'lending' },
    { BENCH_SCALE: '' },
  ])('are refused: %o', (environment) => {
    expect(() => readSizes(environment)).toThrow(SizeError)
  })
})
