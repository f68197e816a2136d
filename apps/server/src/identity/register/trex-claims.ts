import { type Abi, type Address, type Hex, zeroAddress } from 'viem'
import { type ContractRead, contractRead, type ReadResult } from '../../platform/chain/contract-read.ts'
import { ChainUnavailableError } from '../../platform/chain/rpc.ts'
import { lowered } from '../../platform/values/address.rules.ts'
import { abis, trustAbi } from '../contracts.ts'
import { claimIdOf, dataHashOf, everySlot, type Slot, topicOf } from '../values/index.rules.ts'
import type { BlockReader } from './block-reader.ts'
import type { ClaimState } from './register.ts'

/** More issuers than any registry of this kind admits. */
const MOST_ISSUERS = 50

/** Whom a registry trusts, and for what. */
export interface Trust {
  /** The identity contract of the wallet; null: it is not registered. */
  readonly identity: Address | null
  readonly requiredTopics: readonly bigint[]
  readonly issuers: readonly Address[]
  readonly issuersRegistry: Address
}

function answered<T>(result: ReadResult<T> | undefined): T {
  if (!result?.ok) throw new ChainUnavailableError('a contract of the registry does not answer')
  return result.value
}

/** Follows a registry of ERC-3643 to the contracts that it is made of. */
export async function readTrust(reader: BlockReader, registry: Address, wallet: Address): Promise<Trust> {
  const abi = abis.trexRegistry
  const [identity, topicsAt, issuersAt] = await reader.read([
    contractRead(registry, abi, 'identity', [wallet]),
    contractRead(registry, abi, 'topicsRegistry', []),
    contractRead(registry, abi, 'issuersRegistry', []),
  ])
  const issuersRegistry = answered(issuersAt)
  const [topics, issuers] = await reader.read([
    contractRead(answered(topicsAt), trustAbi, 'getClaimTopics', []),
    contractRead(issuersRegistry, trustAbi, 'getTrustedIssuers', []),
  ])
  const found = answered(identity)
  return {
    identity: found === zeroAddress ? null : lowered(found),
    requiredTopics: answered(topics),
    issuers: answered(issuers).slice(0, MOST_ISSUERS).map(lowered),
    issuersRegistry,
  }
}

type StoredClaim = readonly [topic: bigint, scheme: bigint, issuer: Address, signature: Hex, data: Hex, uri: string]

const claimRead = (identity: Address, claimId: Hex) =>
  contractRead(identity, abis.onchainId as Abi, 'getClaim', [claimId]) as ContractRead<StoredClaim>

export const validityRead = (issuer: Address, identity: Address, topic: bigint, signature: Hex, data: Hex) =>
  contractRead(issuer, abis.claimIssuer, 'isClaimValid', [identity, topic, signature, data])

/** Claims of trusted issuers on an identity contract; the issuer says whether each still holds. */
export async function readTrustedClaims(reader: BlockReader, trust: Trust): Promise<ClaimState[]> {
  const { identity, requiredTopics, issuers } = trust
  if (!identity) return []
  const asked = everySlot.flatMap((slot: Slot) =>
    issuers.map((issuer) => ({ slot, issuer, topic: topicOf(slot, requiredTopics) })),
  )
  const stored = await reader.read(asked.map(({ issuer, topic }) => claimRead(identity, claimIdOf(issuer, topic))))
  const held = asked.flatMap((one, index) => {
    const result = stored[index]
    // An empty place answers zeros.
    if (!result?.ok || result.value[0] !== one.topic || lowered(result.value[2]) !== one.issuer) return []
    const [, , , signature, data] = result.value
    return [{ ...one, signature, data }]
  })
  const valid = await reader.read(
    held.map(({ issuer, topic, signature, data }) => validityRead(issuer, identity, topic, signature, data)),
  )
  return held.map(({ slot, issuer, signature, data }, index) => {
    const result = valid[index]
    return {
      slot,
      dataHash: dataHashOf(data),
      issuer,
      issuedAt: null,
      expiry: null,
      isActive: result?.ok === true && result.value,
      signature,
    }
  })
}
