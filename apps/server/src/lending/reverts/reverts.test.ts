import { encodeErrorResult } from 'viem'
import { describe, expect, it } from 'vitest'
import { unmappedErrors } from '../../platform/chain/reverts.ts'
import { abis } from '../contracts.ts'
import { explainLending, lendingReverts, revertingAbis } from './index.ts'

describe('the refusals of the lending contracts', () => {
  it('are all explained, or said to be out of reach and why', () => {
    expect(unmappedErrors(revertingAbis, lendingReverts)).toEqual([])
  })

  it('are explained only where a contract can raise them', () => {
    const raised = new Set(revertingAbis.flat().flatMap((item) => (item.type === 'error' ? [item.name] : [])))
    expect(Object.keys(lendingReverts).filter((name) => !raised.has(name))).toEqual([])
  })

  it('carry the values that the contract gave', () => {
    const data = encodeErrorResult({ abi: abis.market, errorName: 'BelowMinBorrow', args: [5n, 100n] })
    expect(explainLending(data)).toEqual({
      error: 'BelowMinBorrow',
      code: 'BELOW_MIN_BORROW',
      message: 'The loan would be smaller than the market allows. (5, 100)',
    })
  })
})
