import { defineOperation } from '@tallystick/wire'
import { describe, expect, it } from 'vitest'
import { choose } from './choose.ts'
import type { Example } from './example.ts'
import { stable } from './stable.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`
const operation = { path: '/markets/{marketId}/loans', alsoAt: ['/others/{marketId}/loans'] }
const recorded = (seed: string, at: string) => ({
  path: `/markets/${seed.repeat(8)}-1111-4111-8111-${seed.repeat(12)}/loans?holder=${address(seed)}`,
  body: { borrower: address(seed), days: 30 },
  answer: {
    success: true,
    data: {
      borrower: address(seed),
      data: `0xdeadbeef${'0'.repeat(24)}${seed.repeat(40)}${'0'.repeat(400)}`,
      dueAt: Math.floor(Date.parse(at) / 1000) + 86_400,
      holders: { [address(seed)]: '5' },
      txHash: `0x${seed.repeat(64)}`,
      wrapped: '0x0000000000000000000000000000000000000001',
    },
    metadata: { requestId: seed, timestamp: at, chainTime: Math.floor(Date.parse(at) / 1000) - 3 },
  },
})

describe('an example made stable', () => {
  const [first, second] = [
    stable(recorded('a', '2026-11-01T10:00:00.123Z'), operation),
    stable(recorded('b', '2027-01-01T22:30:00.456Z'), operation),
  ]

  it('is the same whenever it was recorded', () => {
    expect(second).toEqual(first)
  })

  it('is shown under the path that the operation is documented at', () => {
    const elsewhere = { path: '/others/7/loans?limit=1', answer: {} }
    expect(stable(elsewhere, operation).path).toBe('/markets/7/loans?limit=1')
  })

  it('keeps what belongs together, in paths, keys and calldata too', () => {
    const { data } = first.answer as { data: Record<string, string> & { holders: object } }
    expect(first.path).toBe(`/markets/${first.path.split('/')[2]}/loans?holder=${data.borrower}`)
    expect(first.body).toEqual({ borrower: data.borrower, days: 30 })
    expect(Object.keys(data.holders)).toEqual([data.borrower])
    expect(data.data).toContain(data.borrower?.slice(2))
    expect(data.data?.length).toBeLessThan(150)
    expect(data.wrapped).toBe('0x0000000000000000000000000000000000000001')
  })

  it('is of one moment, and tells beside its data only what is always there', () => {
    expect(first.answer).toMatchObject({ data: { dueAt: Date.parse('2026-03-03T10:00:00Z') / 1000 } })
    expect((first.answer as { metadata: object }).metadata).toEqual({
      requestId: 'req-1',
      timestamp: '2026-03-02T10:00:00.000Z',
    })
  })
})

describe('the example of a leg', () => {
  const operation = defineOperation({
    ...{ id: 'listLoans', feature: 'lending', method: 'GET', path: '/a/loans', alsoAt: ['/b/loans'] },
    ...{ scope: 'lending:read', summary: 's' },
    // Any data will do: an answer without its envelope is not true of it.
    legs: { read: { data: {}, errors: {} } },
  })
  const metadata = { requestId: 'r', timestamp: '2026-11-01T10:00:00.000Z' }
  const answered = (path: string, data: unknown) => ({ path, answer: { success: true, data, metadata } })
  const chosen = (recorded: readonly Example[], known?: Example) => choose({ operation, leg: 'read', recorded, known })
  const shown = (example: Example) => stable(example, operation)
  const [elsewhere, empty, full] = [
    answered('/b/loans', { loans: [{ id: 1, due: 2, rate: 3 }] }),
    answered('/a/loans', { loans: [] }),
    answered('/a/loans', { loans: [{ id: 1, due: null }] }),
  ]

  it('is from the main path, shows most, and does not depend on the order of tests', () => {
    expect(chosen([elsewhere, empty, full])).toEqual(shown(full))
    expect(chosen([full, empty, elsewhere])).toEqual(shown(full))
    expect(chosen([elsewhere])).toEqual(shown(elsewhere))
    expect(chosen([])).toBeUndefined()
  })

  it('has a row, however long that is', () => {
    const long = answered('/a/loans', { loans: [{ id: 1, note: 'x'.repeat(2_000) }] })
    expect(chosen([empty, long])).toEqual(shown(long))
  })

  it('is one that went well, where there is one', () => {
    const refused = answered('/a/loans', { loans: [], simulation: { success: false, revertReason: 'x', gas: 1 } })
    const fine = answered('/a/loans', { loans: [], simulation: { success: true } })
    expect(chosen([refused, fine])).toEqual(shown(fine))
  })

  it('stays what it was, unless that is no longer true or shows less', () => {
    expect(chosen([empty], shown(full))).toEqual(shown(full))
    expect(chosen([full], shown(empty))).toEqual(shown(full))
    expect(chosen([empty], { path: '/a/loans', answer: { loans: [{ id: 1 }] } })).toEqual(shown(empty))
    expect(chosen([], answered('/b/loans', { loans: [] }))).toBeUndefined()
  })
})
