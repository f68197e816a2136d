import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { accountsOf } from './accounts.ts'
import { hexOf } from './hex.ts'

describe('the accounts of a phrase', () => {
  it.each([
    'test test test test test test test test test test test junk',
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
  ])('are those that wallets derive: %s', (phrase) => {
    const found = accountsOf(phrase, 12)
    const derived = found.map((_, addressIndex) => {
      const privateKey = hexOf(mnemonicToAccount(phrase, { addressIndex }).getHdKey().privateKey ?? new Uint8Array())
      return { privateKey, address: privateKeyToAddress(privateKey).toLowerCase() }
    })
    expect(found).toEqual(derived)
    expect(accountsOf(phrase, 2)).toEqual(derived.slice(0, 2))
    expect(accountsOf(phrase, 13).slice(0, 12)).toEqual(derived)
  })
})
