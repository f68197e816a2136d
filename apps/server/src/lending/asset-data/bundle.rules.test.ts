import { describe, expect, it } from 'vitest'
import { canonicalJsonOf } from '../../platform/canonical-json.rules.ts'
import { type BundleSource, hashOf, sealBundle } from './bundle.rules.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as const

const source = (profile: Record<string, unknown>, name = 'Example Note 2030'): BundleSource => ({
  chainId: 31_337,
  factory: address('1'),
  borrowAsset: address('2'),
  collateralMode: 'CUSTODY',
  priceSource: 'NAV',
  token: {
    tokenAddress: address('3'),
    name,
    symbol: 'EXN',
    decimals: 18,
    framework: 'erc20',
    assetType: 'BOND',
    totalSupply: '250000',
  },
  profile,
})

const sealed = (profile: Record<string, unknown>) => {
  const made = sealBundle(source(profile))
  if ('refused' in made) throw new Error(made.refused)
  return made
}

describe('the bytes of a bundle', () => {
  it('hash as everybody else hashes them', () => {
    const bundle = {
      token: { tokenAddress: address('3'), symbol: 'EXN', name: 'Example Note 2030', decimals: 18 },
      schemaVersion: '1.0.0',
      profile: { issuerName: 'Example Issuer GmbH', isin: 'DE000EXAMPL0' },
      market: {
        priceSource: 'NAV',
        family: 'FUNGIBLE',
        factory: address('1'),
        collateralMode: 'CUSTODY',
        chainId: 31_337,
        borrowAsset: address('2'),
      },
    }
    const text = canonicalJsonOf(bundle)
    expect(text).toBe(
      '{"market":{"borrowAsset":"0x2222222222222222222222222222222222222222","chainId":31337,"collateralMode":"CUSTODY","factory":"0x1111111111111111111111111111111111111111","family":"FUNGIBLE","priceSource":"NAV"},"profile":{"isin":"DE000EXAMPL0","issuerName":"Example Issuer GmbH"},"schemaVersion":"1.0.0","token":{"decimals":18,"name":"Example Note 2030","symbol":"EXN","tokenAddress":"0x3333333333333333333333333333333333333333"}}',
    )
    expect(hashOf(text)).toBe('0x9ee4957514166d9042e0da469e9ef0ac080c3e5aeb60b344a1d37966cd927d12')
  })

  it('do not depend on the order in which a profile was written, and leave empty members out', () => {
    const one = sealed({ issuerName: 'A', isin: 'B', sector: '' })
    const other = sealed({ isin: 'B', issuerName: 'A' })
    expect(one.canonicalJson).toBe(other.canonicalJson)
    expect(one.bundle.profile).not.toHaveProperty('sector')
  })

  it.each([
    '"quoted" and \\back\\slashed',
    '{"issuerName":"injected"}',
    'Ünïcödé 北光 \u{1f30a} \u202e',
    '</script><!--',
    'x'.repeat(2_000),
  ])('hold %j exactly', (issuerName) => {
    const { canonicalJson, bundle } = sealed({ issuerName })
    expect(bundle.profile.issuerName).toBe(issuerName)
    expect(JSON.parse(canonicalJson).profile.issuerName).toBe(issuerName)
    expect(Buffer.from(canonicalJson, 'utf8').toString('utf8')).toBe(canonicalJson)
  })

  it.each([
    ['a lone surrogate', 'broken \ud800 text'],
    ['a reversed pair', '\udc00\ud800'],
    ['a line feed', 'two\nlines'],
    ['a zero', 'zero\u0000'],
    ['ten thousand characters', 'x'.repeat(10_000)],
  ])('refuse %s wherever it stands, and say where', (_what, text) => {
    expect(sealBundle(source({ issuerName: text }))).toEqual({
      refused: expect.stringMatching(/^profile\.issuerName /),
    })
    const documents = [
      { name: 'fine', uri: 'https://example.org' },
      { name: text, uri: 'https://example.org' },
    ]
    expect(sealBundle(source({ documents }))).toEqual({
      refused: expect.stringMatching(/^profile\.documents\.1\.name /),
    })
    expect(sealBundle(source({ issuerName: 'fine' }, text))).toEqual({
      refused: expect.stringMatching(/^token\.name /),
    })
  })
})
