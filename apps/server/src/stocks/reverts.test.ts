import { encodeErrorResult } from 'viem'
import { describe, expect, it } from 'vitest'
import { unmappedErrors } from '../platform/chain/reverts.ts'
import { abis } from './contracts.ts'
import { explainStocks, revertingAbis, stocksReverts } from './reverts.ts'

describe('the refusals of stock tokens', () => {
  it('are all explained, or said to be out of reach and why', () => {
    expect(unmappedErrors(revertingAbis, stocksReverts)).toEqual([])
  })

  it('are explained only where a contract can raise them', () => {
    const raised = new Set(revertingAbis.flat().flatMap((item) => (item.type === 'error' ? [item.name] : [])))
    expect(Object.keys(stocksReverts).filter((name) => !raised.has(name))).toEqual([])
  })

  it('name the rule that refuses', () => {
    const data = encodeErrorResult({
      abi: abis.stock,
      errorName: 'TransferRestricted',
      args: [2, 'RECEIVER_NOT_VERIFIED'],
    })
    expect(explainStocks(data)).toEqual({
      error: 'TransferRestricted',
      code: 'TRANSFER_RESTRICTED',
      message: 'A rule of the token refuses. (2, RECEIVER_NOT_VERIFIED)',
    })
  })
})
