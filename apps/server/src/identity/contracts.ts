import { identityRegistryAbi } from '@tallystick/abi'
import { type Abi, parseAbi } from 'viem'
import type { CallKinds } from '../platform/chain/call-pair.ts'
import { eventKinds } from '../platform/chain/event-facts.ts'

/** The registry of ERC-3643, from the text of the standard. */
const trexRegistryAbi = parseAbi([
  'event IdentityRegistered(address indexed investorAddress, address indexed identity)',
  'event IdentityRemoved(address indexed investorAddress, address indexed identity)',
  'event IdentityUpdated(address indexed oldIdentity, address indexed newIdentity)',
  'event CountryUpdated(address indexed investorAddress, uint16 indexed country)',
  'function registerIdentity(address wallet, address identity, uint16 country)',
  'function updateIdentity(address wallet, address identity)',
  'function updateCountry(address wallet, uint16 country)',
  'function deleteIdentity(address wallet)',
  'function identity(address wallet) view returns (address)',
  'function contains(address wallet) view returns (bool)',
  'function isVerified(address wallet) view returns (bool)',
  'function investorCountry(address wallet) view returns (uint16)',
  'function identityStorage() view returns (address)',
  'function issuersRegistry() view returns (address)',
  'function topicsRegistry() view returns (address)',
  'function isAgent(address agent) view returns (bool)',
])

/** An identity contract: keys of ERC-734 and claims of ERC-735. */
const onchainIdAbi = parseAbi([
  'event ClaimAdded(bytes32 indexed claimId, uint256 indexed topic, uint256 scheme, address indexed issuer, bytes signature, bytes data, string uri)',
  'event ClaimChanged(bytes32 indexed claimId, uint256 indexed topic, uint256 scheme, address indexed issuer, bytes signature, bytes data, string uri)',
  'event ClaimRemoved(bytes32 indexed claimId, uint256 indexed topic, uint256 scheme, address indexed issuer, bytes signature, bytes data, string uri)',
  'function addClaim(uint256 topic, uint256 scheme, address issuer, bytes signature, bytes data, string uri) returns (bytes32)',
  'function getClaim(bytes32 claimId) view returns (uint256 topic, uint256 scheme, address issuer, bytes signature, bytes data, string uri)',
  'function getClaimIdsByTopic(uint256 topic) view returns (bytes32[])',
  'function keyHasPurpose(bytes32 key, uint256 purpose) view returns (bool)',
])

/** A trusted issuer of claims, which also revokes them. */
const claimIssuerAbi = parseAbi([
  'event ClaimRevoked(bytes indexed signature)',
  'function revokeClaimBySignature(bytes signature)',
  'function isClaimValid(address identity, uint256 topic, bytes signature, bytes data) view returns (bool)',
  'function keyHasPurpose(bytes32 key, uint256 purpose) view returns (bool)',
])

/** The kinds of contracts that identities stand on. A fact is called `<kind>.<event>`. */
export const abis = {
  identityRegistry: identityRegistryAbi,
  trexRegistry: trexRegistryAbi,
  onchainId: onchainIdAbi,
  claimIssuer: claimIssuerAbi,
} as const satisfies Record<string, Abi>

export const trustAbi = parseAbi([
  'function getClaimTopics() view returns (uint256[])',
  'function getTrustedIssuers() view returns (address[])',
  'function getTrustedIssuersForClaimTopic(uint256 topic) view returns (address[])',
])

/** Every event of them, for the follower. */
export const identityKinds: CallKinds = eventKinds(abis)
