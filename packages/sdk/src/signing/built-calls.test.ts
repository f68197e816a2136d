import { describe, expect, it } from 'vitest'
import { callsOf } from './built-calls.ts'

const [market, token] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const
const transaction = { to: market, data: '0xaa', value: '0', chainId: 5 }
const approval = { to: token, data: '0xbb', value: '0', chainId: 5 }
const brief = (built: unknown) => {
  const { calls, reported } = callsOf(built)
  return [calls.map(({ to, data, chainId }) => `${to?.slice(2, 3) ?? 'new'}:${data}:${chainId}`), reported]
}

describe('what there is to sign in an answer', () => {
  it('finds one call in each of its forms', () => {
    const { to, data } = transaction
    expect(brief({ transaction })).toEqual([['1:0xaa:5'], [0]])
    expect(brief({ transaction: { to, data }, to, data, value: '0', chainId: 5 })).toEqual([['1:0xaa:5'], [0]])
    expect(brief({ txData: { to, data, value: '0' }, chainId: 5 })).toEqual([['1:0xaa:5'], [0]])
    expect(brief({ calldata: { ...transaction, description: 'withdraws' } })).toEqual([['1:0xaa:5'], [0]])
    expect(brief({ transaction: { data }, value: '0', chainId: 5, contractCreation: true })).toEqual([
      ['new:0xaa:5'],
      [0],
    ])
  })

  it('keeps several calls in order, and knows which one is reported', () => {
    const both = ['2:0xbb:5', '1:0xaa:5']
    expect(brief({ steps: [{ transaction: approval }, { transaction }], confirmStepIndex: 1 })).toEqual([both, [1]])
    expect(brief({ steps: [approval, transaction], confirmStepIndex: 0 })).toEqual([both, [0]])
    expect(brief({ steps: [{ transaction: approval }, { transaction }] })).toEqual([both, [1]])
    expect(brief({ steps: [approval, transaction], txData: approval, chainId: 5 })).toEqual([both, [0]])
  })

  it('reports each of the calls that are proven for themselves, and the same call once', () => {
    const keyed = [
      { key: 'a', ...approval },
      { key: 'b', ...transaction },
    ]
    expect(brief({ steps: keyed })).toEqual([
      ['2:0xbb:5', '1:0xaa:5'],
      [0, 1],
    ])
    expect(brief({ configurationCalldata: { accessRole: transaction, liquidatorRole: transaction } })).toEqual([
      ['1:0xaa:5'],
      [0],
    ])
    expect(brief({ configurationCalldata: {} })).toEqual([[], []])
    expect(brief({ unchanged: true })).toEqual([[], []])
  })

  it('gives the gas that was asked for to the call that is reported', () => {
    const steps = [{ transaction: approval }, { transaction }]
    expect(callsOf({ steps, confirmStepIndex: 1, gasLimit: '70000' }).calls.map(({ gas }) => gas)).toEqual([
      undefined,
      70_000n,
    ])
  })

  it('tells who has to sign, and why it would fail', () => {
    const revert = { error: 'Paused', code: null, message: 'The market is paused.' }
    const simulation = { simulated: true, success: false, gasUsed: null, revert }
    const told = callsOf({ transaction, requiredSigner: token, simulation })
    expect([told.calls[0]?.requiredSigner, told.wouldRevert]).toEqual([token, 'The market is paused.'])
    const unknown = callsOf({ transaction, requiredSigner: null, simulation: { simulated: false, success: false } })
    expect([unknown.calls[0]?.requiredSigner, unknown.wouldRevert]).toEqual([undefined, undefined])
    const steps = [{ ...approval, requiredSigner: market }, transaction]
    expect(callsOf({ steps, requiredSigner: token }).calls.map((one) => one.requiredSigner)).toEqual([market, token])
    expect(callsOf({ steps: [{ key: 'a', ...transaction, simulation }] }).wouldRevert).toBe('The market is paused.')
  })

  it.each([
    ['two targets', { transaction: { to: market, data: '0xaa' }, to: token, data: '0xaa', chainId: 5 }],
    ['no target', { transaction: { data: '0xaa' }, chainId: 5 }],
    ['a target that is no address', { transaction: { ...transaction, to: '0x12' } }],
    ['data that is no hex', { transaction: { ...transaction, data: 'none' } }],
    ['value', { transaction: { ...transaction, value: '1' } }],
    ['no chain', { txData: { to: market, data: '0xaa', value: '0' } }],
  ])('refuses a call with %s', (_, built) => {
    expect(() => callsOf(built)).toThrow(expect.objectContaining({ fault: 'UNEXPECTED_CALL' }))
  })
})
