import { describe, expect, it } from 'vitest'
import { admissionOf } from './token-admission.rules.ts'
import type { HolderStatus, TokenSide } from './token-side.reads.ts'

const registry = '0x00000000000000000000000000000000000000aa'
const silent: HolderStatus = { verified: null, registered: null, allowListed: null }
const token: TokenSide = {
  answers: true,
  registry: null,
  claimTopics: null,
  hasAllowList: false,
  owner: null,
  canFreeze: true,
  adapterIsAgent: null,
  registryAgent: undefined,
  adapter: silent,
  router: silent,
  venue: null,
}

const verdict = (side: Partial<TokenSide>, holder: Partial<HolderStatus>) => {
  const { admitted, requirement } = admissionOf({ ...token, ...side }, { ...silent, ...holder })
  return [admitted, requirement]
}

describe('whether a token lets a contract hold it', () => {
  it('depends on the register alone where there is no list, and on the list alone where there is no register', () => {
    expect(verdict({ registry }, { verified: true })).toEqual([true, 'adapter_must_be_verified_holder'])
    expect(verdict({ registry }, { verified: false })).toEqual([false, 'adapter_must_be_verified_holder'])
    expect(verdict({ registry }, {})).toEqual([null, 'holder_status_unreadable'])
    expect(verdict({ hasAllowList: true }, { allowListed: true })).toEqual([
      true,
      'adapter_must_be_authorized_contract',
    ])
    expect(verdict({}, {})).toEqual([true, 'none_required'])
    expect(verdict({ answers: false, registry }, { verified: true })).toEqual([null, 'unknown'])
  })

  it('is answered by either where there are both, and unknown only when what is left to ask does not answer', () => {
    const both = { registry, hasAllowList: true } as const
    const cases: [boolean | null, boolean | null, boolean | null][] = [
      // listed, verified, admitted
      [true, false, true],
      [true, null, true],
      [false, true, true],
      [null, true, true],
      [false, false, false],
      [false, null, null],
      [null, false, null],
      [null, null, null],
    ]
    for (const [allowListed, verified, admitted] of cases)
      expect([allowListed, verified, verdict(both, { allowListed, verified })[0]]).toEqual([
        allowListed,
        verified,
        admitted,
      ])
    expect(verdict(both, { allowListed: false, verified: false })[1]).toBe('adapter_must_be_authorized_contract')
    expect(verdict(both, { allowListed: false, verified: true })[1]).toBe('adapter_must_be_verified_holder')
    expect(verdict(both, { allowListed: true, verified: true })[1]).toBe('adapter_must_be_authorized_contract')
  })
})
