import { encodeErrorResult } from 'viem'
import { describe, expect, it } from 'vitest'
import { unmappedErrors } from '../platform/chain/reverts.ts'
import { abis } from './contracts.ts'
import { explainIdentity, identityReverts, revertingAbis } from './reverts.ts'

describe('the refusals of the identity registry', () => {
  it('are all explained, or said to be out of reach and why', () => {
    expect(unmappedErrors(revertingAbis, identityReverts)).toEqual([])
  })

  it('are explained only where the registry can raise them', () => {
    const raised = new Set(revertingAbis.flat().flatMap((item) => (item.type === 'error' ? [item.name] : [])))
    expect(Object.keys(identityReverts).filter((name) => !raised.has(name))).toEqual([])
  })

  it('carry the values that the registry gave', () => {
    const user = '0x5555555555555555555555555555555555555555'
    const data = encodeErrorResult({ abi: abis.identityRegistry, errorName: 'NoActiveClaim', args: [user, 3] })
    expect(explainIdentity(data)).toEqual({
      error: 'NoActiveClaim',
      code: 'NO_ACTIVE_CLAIM',
      message: `The slot holds no active claim. (${user}, 3)`,
    })
  })
})
