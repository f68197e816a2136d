import { seededRandom } from '@tallystick/testkit'
import { describe, expect, it } from 'vitest'
import {
  isHttpsUri,
  isIsin,
  isPublicUri,
  isStorableText,
  profileFaults,
  type TokenProfile,
  withoutEmptyFields,
} from './profile.rules.ts'

const realIsins = [
  'US0378331005',
  'US5949181045',
  'DE000BAY0017',
  'DE000A1EWWW0',
  'GB0002634946',
  'FR0000120271',
  'CH0012005267',
  'JP3633400001',
  'NL0010273215',
  'IE00B4BNMY34',
  'AU0000XVGZA3',
]

describe('an ISIN', () => {
  it.each(realIsins)('%s of a real security is accepted', (isin) => {
    expect(isIsin(isin)).toBe(true)
  })

  it.each(realIsins)('%s with any one digit changed is refused', (isin) => {
    for (const [index, character] of [...isin].entries()) {
      if (!/\d/.test(character)) continue
      for (const other of '0123456789') {
        if (other === character) continue
        expect(isIsin(isin.slice(0, index) + other + isin.slice(index + 1))).toBe(false)
      }
    }
  })

  it.each([
    ['in lower case', 'us0378331005'],
    ['with a space', 'US 0378331005'],
    ['one short', 'US037833100'],
    ['one long', 'US03783310050'],
    ['with a letter for its check digit', 'US037833100A'],
    ['with a digit in its country', 'U10378331005'],
    ['with a line break after it', 'US0378331005\n'],
    ['with digits of another script', 'US037833100٥'],
    ['empty', ''],
  ])('%s is refused', (_, isin) => {
    expect(isIsin(isin)).toBe(false)
  })

  it('has exactly one valid check digit', () => {
    const random = seededRandom(6_166)
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    for (let turn = 0; turn < 300; turn++) {
      const country = random.pick([...letters]) + random.pick([...letters])
      const body = Array.from({ length: 9 }, () => random.pick([...letters, ...'0123456789'])).join('')
      const valid = [...'0123456789'].filter((digit) => isIsin(country + body + digit))
      expect(valid, country + body).toHaveLength(1)
    }
  })
})

describe('a URI', () => {
  it.each([
    'https://issuer.example',
    'https://issuer.example:8443/a/b?c=d#e',
    'https://xn--mnchen-3ya.example/ü',
    'https://192.0.2.1/x',
  ])('%s is an https address and public', (uri) => {
    expect(isHttpsUri(uri)).toBe(true)
    expect(isPublicUri(uri)).toBe(true)
  })

  it.each(['ipfs://bafybeigdyrzt5example', 'ipfs://QmExample/terms.pdf'])(
    '%s is public but no https address',
    (uri) => {
      expect(isPublicUri(uri)).toBe(true)
      expect(isHttpsUri(uri)).toBe(false)
    },
  )

  it.each([
    '',
    'http://issuer.example',
    'HTTPS//issuer.example',
    'https:issuer.example',
    'https://',
    'https://?q',
    'https://a b.example',
    'https://issuer.example/a b',
    ' https://issuer.example',
    'https://issuer.example\n',
    'https://issuer.example/\u0000',
    'https://issuer.example/\u0085',
    'https://issuer.example/\uD800',
    'https://issuer.example/\uDC00x',
    'https://[::1',
    'javascript:alert(1)//https://x',
    'data:text/html,x',
    'ftp://issuer.example',
    '//issuer.example',
    'ipfs://',
    'ipfs:/bafy',
    'ipfs:///etc/passwd',
    'ipfs://bafy\u0007',
    'ipfs://bafy\uD83D',
    'xipfs://bafy',
  ])('%j is refused', (uri) => {
    expect(isHttpsUri(uri)).toBe(false)
    expect(isPublicUri(uri)).toBe(false)
  })
})

describe('text that is stored and hashed', () => {
  it('may hold any script, emoji and punctuation', () => {
    for (const text of ['', 'Alpine Uhren AG', 'Ünïcödé', '株式会社', '🚀 to the 🌕', '"quoted" \\ <b>', '\u202Ertl'])
      expect(isStorableText(text)).toBe(true)
  })

  it('may hold no control character', () => {
    for (let code = 0; code < 0xa0; code++) {
      const control = code < 0x20 || code >= 0x7f
      expect(isStorableText(`a${String.fromCharCode(code)}b`), `U+${code.toString(16)}`).toBe(!control)
    }
  })

  it('may hold no half of a surrogate pair', () => {
    for (const text of ['\uD83D', 'a\uD83D', '\uDE80b', '\uDE80\uD83D', '🚀\uD83D'])
      expect(isStorableText(text)).toBe(false)
  })
})

describe('the faults of a profile', () => {
  const good: TokenProfile = {
    issuerName: 'Alpine Uhren AG',
    jurisdiction: 'CH',
    sector: 'Watchmaking',
    isin: 'CH0012005267',
    website: 'https://alpine.example',
    prospectusURI: 'ipfs://bafyprospectus',
    documents: [{ name: 'Terms', uri: 'https://alpine.example/terms.pdf' }],
  }
  const fieldsAtFault = (profile: TokenProfile) => profileFaults(profile).map(({ field }) => field)

  it('are none when every field is in order, left out or empty', () => {
    expect(profileFaults(good)).toEqual([])
    expect(profileFaults({})).toEqual([])
    expect(profileFaults({ issuerName: '', isin: '', website: '', prospectusURI: '', documents: [] })).toEqual([])
  })

  it.each([
    ['isin', 'US0378331006'],
    ['website', 'http://alpine.example'],
    ['website', 'ipfs://bafy'],
    ['prospectusURI', 'alpine.example'],
    ['issuerName', 'Alpine\u0000'],
    ['jurisdiction', 'C\nH'],
    ['sector', '\uD83D'],
    ['website', 'https://alpine.example/\u0007'],
  ])('name %s for %j', (field, value) => {
    expect(fieldsAtFault({ ...good, [field]: value })).toEqual([`profile.${field}`])
  })

  it('are all told at once, documents by their position', () => {
    const documents = [
      { name: 'Terms', uri: 'https://alpine.example' },
      { name: '', uri: 'http://alpine.example' },
      { name: 'A\u0000', uri: '' },
    ]
    expect(fieldsAtFault({ isin: 'x', website: 'y', documents })).toEqual([
      'profile.isin',
      'profile.website',
      'profile.documents.1.uri',
      'profile.documents.1.name',
      'profile.documents.2.name',
      'profile.documents.2.uri',
    ])
  })

  it('say in words what is expected', () => {
    expect(profileFaults({ isin: 'US0378331006' })).toEqual([
      { field: 'profile.isin', message: expect.stringContaining('check digit') },
    ])
  })
})

describe('the stored profile', () => {
  it('leaves out every empty field and keeps the others as they are', () => {
    const documents = [{ name: 'Terms', uri: 'https://a.example' }]
    expect(withoutEmptyFields({ issuerName: ' A ', sector: '', isin: '', documents })).toEqual({
      issuerName: ' A ',
      documents,
    })
  })

  it('is null when nothing is left', () => {
    expect(withoutEmptyFields({})).toBeNull()
    expect(withoutEmptyFields({ issuerName: '', documents: [] })).toBeNull()
  })
})
