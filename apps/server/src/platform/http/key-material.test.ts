import { describe, expect, it } from 'vitest'
import { holdsKeyMaterial } from './key-material.ts'

const names = [
  'privateKey',
  'private_key',
  'mnemonic',
  'seedPhrase',
  'seed_phrase',
  'keystore',
  'keystoreJson',
  'signerKey',
  'signer_key',
  'secretKey',
  'secret_key',
  'walletPassword',
  'useRelayer',
  'signOnBehalf',
  'onBehalfOf',
  'autoSubmit',
]

/** `levels` objects inside each other; the innermost carries the field. */
function nested(levels: number, field: string): unknown {
  let body: unknown = { [field]: 'x' }
  for (let level = 1; level < levels; level++) body = { inner: body }
  return body
}

describe('key material in a body', () => {
  it.each(names)('is found under the name %s, in any case', (name) => {
    expect(holdsKeyMaterial({ [name]: 'x' })).toBe(true)
    expect(holdsKeyMaterial({ [name.toUpperCase()]: 'x' })).toBe(true)
    expect(holdsKeyMaterial({ [name.toLowerCase()]: 'x' })).toBe(true)
  })

  it('is found whatever the value is', () => {
    for (const value of [null, '', 0, false, [], {}]) expect(holdsKeyMaterial({ mnemonic: value })).toBe(true)
  })

  it('is found down to the sixth level and not below', () => {
    for (let level = 1; level <= 6; level++) expect(holdsKeyMaterial(nested(level, 'privateKey'))).toBe(true)
    expect(holdsKeyMaterial(nested(7, 'privateKey'))).toBe(false)
  })

  it('is found inside arrays, each of which is a level', () => {
    expect(holdsKeyMaterial([{ privateKey: 'x' }])).toBe(true)
    expect(holdsKeyMaterial({ list: [1, 'two', { ok: 1 }, { PRIVATEKEY: 'x' }] })).toBe(true)
    expect(holdsKeyMaterial([[[[[{ privateKey: 'x' }]]]]])).toBe(true)
    expect(holdsKeyMaterial([[[[[[{ privateKey: 'x' }]]]]]])).toBe(false)
  })

  it('is not seen in values or in names that only contain such a word', () => {
    expect(holdsKeyMaterial({ name: 'privateKey', note: 'mnemonic', privateKeyHint: 'x', myMnemonic: 'x' })).toBe(false)
    for (const body of [undefined, null, 'privateKey', 7, true, {}, []]) expect(holdsKeyMaterial(body)).toBe(false)
  })

  it('allows exactly the names it is told to, in exactly that spelling', () => {
    expect(holdsKeyMaterial({ useRelayer: true }, ['useRelayer'])).toBe(false)
    expect(holdsKeyMaterial({ inner: { useRelayer: true } }, ['useRelayer'])).toBe(false)
    expect(holdsKeyMaterial({ USERELAYER: true }, ['useRelayer'])).toBe(true)
    expect(holdsKeyMaterial({ useRelayer: { mnemonic: 'x' } }, ['useRelayer'])).toBe(true)
  })
})
