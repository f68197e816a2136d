import { type Address, type Hex, hashDomain, hashTypedData, serializeSignature } from 'viem'
import { signerOf } from '../../platform/values/signer.rules.ts'
import type { Market } from '../core/index.rules.ts'

const field = (type: string) => (name: string) => ({ name, type })

const types = {
  EIP712Domain: [
    ...['name', 'version'].map(field('string')),
    field('uint256')('chainId'),
    field('address')('verifyingContract'),
  ],
  Permit: [...['owner', 'spender'].map(field('address')), ...['value', 'nonce', 'deadline'].map(field('uint256'))],
}

export interface PermitDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Address
}

/** What a token says about the domain of its permits; null: it does not say. */
export interface DomainHints {
  readonly separator: Hex
  readonly name: string | null
  readonly version: string | null
  /** By ERC-5267. */
  readonly described: { readonly name: string; readonly version: string } | null
}

/** The library would rather infer it from literal types. */
type DomainToHash = Parameters<typeof hashDomain>[0]

/** The domain that reproduces what the token signs under. Null: none of those it could be. */
export function resolveDomain(
  { chainId, borrowAsset }: Pick<Market, 'chainId' | 'borrowAsset'>,
  { separator, name, version, described }: DomainHints,
): PermitDomain | null {
  const named =
    name === null ? [] : [...(version === null ? [] : [version]), '1', '2'].map((one) => ({ name, version: one }))
  const candidates = [...(described ? [described] : []), ...named].map((one) => ({
    ...one,
    chainId,
    verifyingContract: borrowAsset,
  }))
  return (
    candidates.find((domain) => {
      const hashed = { ...domain, chainId: BigInt(chainId) }
      return hashDomain({ domain: hashed, types: { EIP712Domain: types.EIP712Domain } } as DomainToHash) === separator
    }) ?? null
  )
}

export interface PermitMessage {
  readonly owner: Address
  readonly spender: Address
  readonly value: bigint
  readonly nonce: bigint
  readonly deadline: number
}

/** What a payer signs: ERC-2612, as wallets take it. */
export const permitTypedData = (domain: PermitDomain, { owner, spender, value, nonce, deadline }: PermitMessage) => ({
  domain,
  types,
  primaryType: 'Permit' as const,
  message: {
    owner,
    spender,
    value: value.toString(),
    nonce: nonce.toString(),
    deadline: String(deadline),
  },
})

export interface Signature {
  readonly v: number
  readonly r: string
  readonly s: string
}

/** Tokens refuse the other of the two signatures that every message has. */
const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
export const isCanonical = ({ s }: Signature): boolean => BigInt(s) <= HIGHEST_S

/** Who signed this permit, lowercased. Null: nobody could have. */
export async function permitSigner(
  domain: PermitDomain,
  permit: PermitMessage,
  { v, r, s }: Signature,
): Promise<Address | null> {
  try {
    const signature = serializeSignature({ r: r as Hex, s: s as Hex, v: BigInt(v) })
    const hash = hashTypedData(permitTypedData(domain, permit) as unknown as Parameters<typeof hashTypedData>[0])
    return (await signerOf(hash, signature)) ?? null
  } catch {
    return null
  }
}
