import { describe, expect, it } from 'vitest'
import { unmappedErrors } from '../../platform/chain/reverts.ts'
import { refusingAbis, settlementReverts } from './refusals.ts'

describe('refusals of the custody contracts', () => {
  it('are all told in words, or known not to come from settling', () => {
    expect(unmappedErrors(refusingAbis, settlementReverts)).toEqual([])
  })
})
