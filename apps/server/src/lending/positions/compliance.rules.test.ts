import { describe, expect, it } from 'vitest'
import type { Market } from '../core/index.rules.ts'
import { type ComplianceAnswers, shownCompliance } from './compliance.rules.ts'

const pledge = { holder: '0x00000000000000000000000000000000000000aa', amount: 1n } as const
const free: ComplianceAnswers = {
  paused: false,
  holderFrozen: false,
  holderVerified: true,
  holderListed: null,
  adapterFrozen: false,
  transferAllowed: true,
}

const shown = (answers: Partial<ComplianceAnswers>) => {
  const market = { mode: 'CUSTODY', collateralDecimals: 18 } as Market
  const judged = { pledge, answers: { ...free, ...answers }, escrow: 0n, chainTime: 0 }
  const { restricted, code, reason } = shownCompliance(market, judged)
  return [restricted, code, reason]
}

describe('what a token says about the holder of a pledge', () => {
  it('goes by the register, unless the token spares the holder the register', () => {
    expect(shown({})).toEqual([false, null, null])
    expect(shown({ holderVerified: false })[1]).toBe('HOLDER_NOT_VERIFIED')
    expect(shown({ holderVerified: false, holderListed: false })[1]).toBe('HOLDER_NOT_VERIFIED')
    expect(shown({ holderVerified: false, holderListed: true })).toEqual([false, null, null])
    expect(shown({ holderVerified: null, holderListed: true })).toEqual([false, null, null])
    expect(shown({ holderVerified: null })[1]).toBe('UNKNOWN')
  })

  it('is the verdict of the token itself where it gives one, with its own name for the rule', () => {
    expect(shown({ transferAllowed: null, tokenVerdict: [0, 'SUCCESS'] })).toEqual([false, null, null])
    const [restricted, code, reason] = shown({ transferAllowed: true, tokenVerdict: [5, 'SENDER_LOCKED'] })
    expect([restricted, code]).toEqual([true, 'COMPLIANCE_REFUSED'])
    expect(reason).toMatch(/\(SENDER_LOCKED\)$/)
    expect(shown({ tokenVerdict: [5, '<b>nothing that is a name</b>'] })[2]).not.toContain('<b>')
    expect(shown({ transferAllowed: null, tokenVerdict: null })[1]).toBe('UNKNOWN')
  })
})
