import { wallet } from '@tallystick/testkit'
import { hashDomain, keccak256, parseSignature, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Market } from '../core/index.rules.ts'
import type { PermitResults } from './permit.reads.ts'
import { isCanonical, permitSigner, permitTypedData, resolveDomain } from './permit.rules.ts'
import { isPermitSupported } from './permit-terms.ts'

const borrowAsset = `0x${'5'.repeat(40)}` as const
const place = { chainId: 31_337, borrowAsset }
const fields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]
const separatorOf = (name: string, version: string, chainId = 31_337n) =>
  hashDomain({
    domain: { name, version, chainId, verifyingContract: borrowAsset },
    types: { EIP712Domain: fields },
  } as Parameters<typeof hashDomain>[0])

describe('the domain of permits', () => {
  it.each([
    ['what the token says of itself', { name: 'Coin', version: '7', described: null }, ['Coin', '7']],
    ['version 1 where it says nothing', { name: 'Coin', version: null, described: null }, ['Coin', '1']],
    ['version 2 of the same', { name: 'Coin', version: null, described: null }, ['Coin', '2']],
    [
      'what it describes by the standard',
      { name: 'Other', version: null, described: { name: 'Coin', version: '3' } },
      ['Coin', '3'],
    ],
  ] as const)('is %s', (_case, hints, [name, version]) => {
    const found = resolveDomain(place, { ...hints, separator: separatorOf(name, version) })
    expect(found).toEqual({ name, version, chainId: 31_337, verifyingContract: borrowAsset })
  })

  it('is none that does not reproduce what the token signs under', () => {
    const hints = { name: 'Coin', version: '1', described: null }
    for (const separator of [separatorOf('Coin', '4'), separatorOf('Coin', '1', 1n), separatorOf('coin', '1')])
      expect(resolveDomain(place, { ...hints, separator })).toBeNull()
    expect(resolveDomain(place, { ...hints, name: null, separator: separatorOf('Coin', '1') })).toBeNull()
  })

  it('helps nothing where permits are of another form', () => {
    const no = { ok: false as const, revert: '0x' as const }
    const is = <T>(value: T) => ({ ok: true as const, value })
    const standard = keccak256(
      toHex('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'),
    )
    const early = keccak256(toHex('Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)'))
    const results: PermitResults = {
      separator: is(separatorOf('Coin', '1')),
      nonce: is(0n),
      form: no,
      name: is('Coin'),
      version: no,
      described: no,
      allowance: is(0n),
    }
    const supported = (form: PermitResults['form']) => isPermitSupported(place as Market, { ...results, form })
    expect([supported(no), supported(is(standard)), supported(is(early))]).toEqual([true, true, false])
  })
})

describe('the signature of a permit', () => {
  it('names its signer, for exactly what was signed', async () => {
    const domain = { name: 'Coin', version: '1', chainId: 31_337, verifyingContract: borrowAsset }
    const account = wallet(3)
    const message = { owner: account.address, spender: borrowAsset, value: 5n, nonce: 0n, deadline: 99 }
    const { EIP712Domain: _, ...types } = permitTypedData(domain, message).types
    const signed = parseSignature(await account.signTypedData({ ...permitTypedData(domain, message), types } as never))
    const signature = { r: signed.r, s: signed.s, v: 27 + signed.yParity }
    expect(isCanonical(signature)).toBe(true)
    const signer = account.address.toLowerCase()
    expect(await permitSigner(domain, message, signature)).toBe(signer)
    expect(await permitSigner(domain, { ...message, value: 6n }, signature)).not.toBe(signer)
    expect(await permitSigner(domain, message, { ...signature, r: `0x${'f'.repeat(64)}` })).toBeNull()
  })
})
