import { type Address, type Hex, keccak256 } from 'viem'
import { contractCall } from '../../platform/chain/contract-call.ts'
import { abis } from '../contracts.ts'

export interface OfWallet {
  readonly wallet: Address
}

const isWallet = (value: unknown, { wallet }: OfWallet) => String(value).toLowerCase() === wallet
const registry = { kind: 'trexRegistry', abi: abis.trexRegistry } as const

export const registerIdentityCall = contractCall<OfWallet & { identity: Address; country: number }, OfWallet>({
  ...registry,
  functionName: 'registerIdentity',
  eventName: 'IdentityRegistered',
  args: ({ wallet, identity, country }) => [wallet, identity, country],
  isFor: ({ investorAddress }, expected) => isWallet(investorAddress, expected),
})

/** Its event names no wallet: whose identity it became is read from the registry afterwards. */
export const updateIdentityCall = contractCall<OfWallet & { identity: Address }, OfWallet>({
  ...registry,
  functionName: 'updateIdentity',
  eventName: 'IdentityUpdated',
  args: ({ wallet, identity }) => [wallet, identity],
  isCallFor: ([wallet], expected) => isWallet(wallet, expected),
  isFor: () => true,
})

export const updateCountryCall = contractCall<OfWallet & { country: number }, OfWallet>({
  ...registry,
  functionName: 'updateCountry',
  eventName: 'CountryUpdated',
  args: ({ wallet, country }) => [wallet, country],
  isFor: ({ investorAddress }, expected) => isWallet(investorAddress, expected),
})

export const deleteIdentityCall = contractCall<OfWallet, OfWallet>({
  ...registry,
  functionName: 'deleteIdentity',
  eventName: 'IdentityRemoved',
  args: ({ wallet }) => [wallet],
  isFor: ({ investorAddress }, expected) => isWallet(investorAddress, expected),
})

interface SignedClaim {
  readonly topic: bigint
  readonly issuer: Address
  readonly signature: Hex
  readonly data: Hex
}
/** The scheme of claims that are signed with an ECDSA key. */
const ECDSA = 1n

const addOnIdentity = (eventName: 'ClaimAdded' | 'ClaimChanged') =>
  contractCall<SignedClaim, { topic: bigint }>({
    kind: 'onchainId',
    abi: abis.onchainId,
    functionName: 'addClaim',
    eventName,
    args: ({ topic, issuer, signature, data }) => [topic, ECDSA, issuer, signature, data, ''],
    isFor: (effect, { topic }) => effect.topic === topic.toString(),
  })

/** A first claim of an issuer on a topic is added, a further one changes it. */
export const addIdentityClaimCall = addOnIdentity('ClaimAdded')
export const changeIdentityClaimCall = addOnIdentity('ClaimChanged')

export const revokeBySignatureCall = contractCall<{ signature: Hex }, { signature: Hex }>({
  kind: 'claimIssuer',
  abi: abis.claimIssuer,
  functionName: 'revokeClaimBySignature',
  eventName: 'ClaimRevoked',
  args: ({ signature }) => [signature],
  // An indexed value of any length is told by its hash.
  isFor: (effect, { signature }) => effect.signature === keccak256(signature),
})
