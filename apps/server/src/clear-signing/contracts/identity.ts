import { identityRegistryAbi } from '@tallystick/abi'
import { parseAbi } from 'viem'
import { type Hint, signedContract } from './sentence.ts'

const claimType: Hint = {
  name: 'claimType',
  words: {
    '0': 'KYC',
    '1': 'AML',
    '2': 'ACCREDITATION',
    '3': 'RESIDENCY',
    '4': 'CITIZENSHIP',
    '5': 'TAX_RESIDENCY',
    '6': 'SANCTIONS_CHECK',
    '7': 'PEP_CHECK',
  },
}
const investorType: Hint = {
  name: 'investorType',
  words: { '0': 'none', '1': 'retail', '2': 'professional', '3': 'eligible counterparty' },
}

export const identityRegistry = signedContract({
  name: 'IdentityRegistry',
  abi: identityRegistryAbi,
  recordedAs: ['IdentityRegistry'],
  sentences: {
    verifyIdentity: {
      intent: 'Verify an identity',
      sentence: 'Verifies the identity of {user}.',
      fields: { investorType },
    },
    updateIdentity: {
      intent: 'Renew an identity',
      sentence: 'Renews the identity of {user}.',
      fields: { investorType },
    },
    batchVerifyIdentities: {
      intent: 'Verify identities',
      sentence: 'Verifies several identities.',
      fields: { 'entries.[].investorType': investorType },
    },
    revokeIdentity: {
      intent: 'Revoke an identity',
      sentence: 'Revokes the identity of {user} and with it all its claims.',
    },
    addClaim: {
      intent: 'File a claim',
      sentence: 'Files a claim on {claimType} for {user}.',
      fields: { claimType },
    },
    revokeClaim: {
      intent: 'Revoke a claim',
      sentence: 'Revokes the claim on {claimType} of {user}.',
      fields: { claimType },
    },
  },
})

/** Written from the text of ERC-3643, as what is signed for its registries and tokens. */
export const erc3643Registry = signedContract({
  name: 'ERC3643IdentityRegistry',
  abi: parseAbi([
    'function registerIdentity(address wallet, address identity, uint16 country)',
    'function updateIdentity(address wallet, address identity)',
    'function updateCountry(address wallet, uint16 country)',
    'function deleteIdentity(address wallet)',
  ]),
  recordedAs: [],
  sentences: {
    registerIdentity: {
      intent: 'Register a wallet',
      sentence: 'Registers {wallet} with the identity {identity}.',
    },
    updateIdentity: { intent: 'Change an identity', sentence: 'Gives {wallet} the identity {identity}.' },
    updateCountry: { intent: 'Change a country', sentence: 'Sets the country of {wallet} to {country}.' },
    deleteIdentity: { intent: 'Remove a wallet', sentence: 'Takes {wallet} off the register.' },
  },
})

/** An identity contract of ERC-734 and ERC-735. */
export const onchainIdentity = signedContract({
  name: 'OnchainIdentity',
  abi: parseAbi([
    'function addClaim(uint256 topic, uint256 scheme, address issuer, bytes signature, bytes data, string uri)',
  ]),
  recordedAs: [],
  sentences: {
    addClaim: { intent: 'File a claim', sentence: 'Files a claim of {issuer} on topic {topic}.' },
  },
})

export const claimIssuer = signedContract({
  name: 'ClaimIssuer',
  abi: parseAbi(['function revokeClaimBySignature(bytes signature)']),
  recordedAs: [],
  sentences: {
    revokeClaimBySignature: {
      intent: 'Revoke a claim',
      sentence: 'Revokes the claim with the signature {signature}.',
    },
  },
})
