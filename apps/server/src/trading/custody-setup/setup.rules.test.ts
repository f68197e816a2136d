import { describe, expect, it } from 'vitest'
import { asBalance, chainAmountUp } from './balance.rules.ts'
import { cfidOf, wholeClass } from './commodity-class.rules.ts'
import { admissionOf, type TokenVoice } from './token-rules.rules.ts'

describe('a token in a vault', () => {
  const plain: TokenVoice = {
    decimals: 18,
    speaksForItself: false,
    speaks1404: false,
    hasRegistry: false,
    splits: false,
  }
  const unknown = { isSupported: false, rules: 0, splits: false }

  it('is to be asked in the words that it speaks', () => {
    const asked = (voice: Partial<TokenVoice>) => admissionOf(unknown, { ...plain, ...voice })
    expect(asked({})).toEqual({ state: 'MISSING', rules: 0, splits: false })
    expect(asked({ speaksForItself: true, splits: true })).toEqual({ state: 'MISSING', rules: 1, splits: true })
    expect(asked({ hasRegistry: true })).toMatchObject({ rules: 2 })
    expect(asked({ hasRegistry: true, speaks1404: true })).toMatchObject({ rules: 3 })
  })

  it('is not taken when nobody could ask it, or nobody could count it', () => {
    for (const voice of [{ speaks1404: true }, { decimals: null }, { decimals: 31 }])
      expect(admissionOf(unknown, { ...plain, ...voice }).state).toBe('IMPOSSIBLE')
  })

  it('is as good as taken only with the rules that it has', () => {
    const stock = { ...plain, speaksForItself: true, splits: true }
    expect(admissionOf({ isSupported: true, rules: 1, splits: true }, stock)).toEqual({ state: 'ADMITTED' })
    for (const other of [
      { rules: 0, splits: true },
      { rules: 1, splits: false },
    ])
      expect(admissionOf({ isSupported: true, ...other }, stock).state).toBe('IMPOSSIBLE')
  })
})

describe('the class of a commodity', () => {
  const gold = { symbol: 'XAU', fineness: '999.9', unitBasis: 'TROY_OUNCE', backing: 'ALLOCATED_REDEEMABLE' }
  const market = { quoteToken: `0x${'1'.repeat(40)}`, custodyContract: `0x${'2'.repeat(40)}` }

  it('is whole or it is none', () => {
    expect(wholeClass(gold)).toEqual(gold)
    for (const member of Object.keys(gold)) expect(wholeClass({ ...gold, [member]: undefined })).toBeNull()
    for (const wrong of [{ fineness: 'pure' }, { unitBasis: 'BAR' }, { backing: 'PROMISED' }])
      expect(wholeClass({ ...gold, ...wrong })).toBeNull()
  })

  it('has one name, which every part of it changes', () => {
    const names = [gold, { ...gold, fineness: '916' }, { ...gold, unitBasis: 'GRAM' }].map((one) => cfidOf(one, market))
    const elsewhere = cfidOf(gold, { ...market, quoteToken: `0x${'3'.repeat(40)}` })
    expect(new Set([...names, elsewhere]).size).toBe(4)
    expect(cfidOf({ ...gold }, { ...market })).toBe(names[0])
  })
})

describe('a balance', () => {
  it('never shows less spoken for than is, nor less than nothing left', () => {
    expect([chainAmountUp(1n, 18), chainAmountUp(1n, 0), chainAmountUp(2_000_001n, 2)]).toEqual([10n ** 12n, 1n, 201n])
    const { available, locked } = asBalance({ total: 10n, onChainAvailable: 4n }, 6n)
    expect([available, locked]).toEqual(['0', '6'])
  })
})
