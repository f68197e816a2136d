import { type Address, encodeAbiParameters, type Hex, keccak256, size, toBytes, zeroHash } from 'viem'
import type { Slot } from './slots.rules.ts'

/** What stands for words that are not stored: bound to the slot and the wallet, so that equal words do not look equal. */
export function hashOfInput({ name }: Slot, words: string, wallet: Address): Hex {
  const text = JSON.stringify({ claimType: name, data: words.trim(), wallet: wallet.toLowerCase() })
  return keccak256(toBytes(text))
}

export const isZeroHash = (hash: Hex): boolean => hash === zeroHash

const DAY = 86_400

/** 0 days: never. */
export const expiryAfter = (days: number | undefined, now: number): number => (days ? now + days * DAY : 0)

/** What a claim issuer signs for an ONCHAINID. */
export function claimDigest(identity: Address, topic: bigint, dataHash: Hex): Hex {
  return keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }], [identity, topic, dataHash]),
  )
}

/** Claims of others carry data of any form; a hash stands for what is none. */
export const dataHashOf = (data: Hex): Hex => (size(data) === 32 ? data : keccak256(data))

/** Under which an ONCHAINID keeps the claim of an issuer on a topic. */
export function claimIdOf(issuer: Address, topic: bigint): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [issuer, topic]))
}

/** How the key book of an ONCHAINID calls a wallet. */
export const keyOf = (wallet: Address): Hex => keccak256(encodeAbiParameters([{ type: 'address' }], [wallet]))
