import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Body, Data } from '../lending/lending.operation.ts'
import { ConfirmWith, Simulation, Transaction, UnixSeconds } from '../lending/lending.schemas.ts'
import { Hash, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import {
  agentErrors,
  claimInputErrors,
  claimsFailed,
  claimTypeErrors,
  confirmErrors,
  noProofsAdded,
  otherClaimErrors,
  ProofOutcome,
  probeErrors,
  proofInputErrors,
  proofsFailed,
  providerErrors,
  registerErrors,
  revokeClaimFailed,
  revokeProofFailed,
  unfitIdentityErrors,
} from './identity.errors.ts'
import {
  built,
  builtCall,
  Claim,
  ClaimMessage,
  ClaimSignature,
  ClaimTypeInput,
  ClaimTypeName,
  confirmed,
  Expiry,
  ExpiryDays,
  ProofEntry,
  RegistryChoice,
  registerFields,
  signerFields,
  verification,
  WalletAddress,
} from './identity.schemas.ts'
import { identity, ofWallet, WalletPath, walletCodes } from './identity-path.ts'

const claimCodes = { ...walletCodes, claimType: 'INVALID_CLAIM_TYPE' } as const
const { CHAIN_UNAVAILABLE } = confirmErrors

/** What has to be signed first, by the claim issuer, where claims stand on ONCHAINID contracts. */
const toSign = {
  action: Type.Literal('SIGN_MESSAGES'),
  messages: Type.Array(ClaimMessage),
  ...registerFields,
  walletAddress: WalletAddress,
  description: Type.String(),
  resendWith: Data({ field: Type.Literal('signature') }),
} as const

const newClaim = {
  walletAddress: WalletAddress,
  claimType: ClaimTypeInput,
  dataHash: Type.Optional(Hash),
  dataInput: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
  expiryDays: ExpiryDays,
  signature: Type.Optional(ClaimSignature),
  registryAddress: RegistryChoice,
} as const

export const addClaim = defineOperation({
  ...identity('/add-claim'),
  id: 'addClaim',
  method: 'POST',
  scope: 'identity:write',
  summary: 'Add a claim',
  description:
    'Builds the call that fills a slot by hand: AML, TAX_RESIDENCY, SANCTIONS_CHECK or PEP_CHECK. With `txHash`: confirms it.',
  fieldCodes: { ...claimCodes, dataHash: 'INVALID_HASH', expiryDays: 'INVALID_EXPIRY' },
  unreadable: 'REGISTRY_PROBE_FAILED',
  legs: {
    build: {
      body: Body(newClaim),
      data: Type.Union([
        Data({ ...built, claimType: ClaimTypeName, dataHash: Type.String(), expiry: Expiry }),
        Data({ ...toSign, claimType: ClaimTypeName, dataHash: Type.String(), expiry: Expiry }),
      ]),
      errors: { ...registerErrors, ...probeErrors, ...claimInputErrors, ...providerErrors },
    },
    confirm: {
      body: Body({ ...newClaim, txHash: Hash }),
      data: Data({
        ...confirmed,
        claimType: ClaimTypeName,
        dataHash: Type.String(),
        expiry: Nullable(Expiry),
        ...verification,
      }),
      errors: { ...registerErrors, ...confirmErrors, ...claimInputErrors },
    },
  },
})

const oldClaim = { walletAddress: WalletAddress, claimType: ClaimTypeInput, registryAddress: RegistryChoice } as const
const toRevoke = Body(oldClaim)
const wasRevoked = Body({ ...oldClaim, txHash: Hash })

const revoked = {
  ...confirmed,
  claimType: ClaimTypeName,
  reissued: Type.Boolean({ description: 'The slot was filled again since.' }),
  ...verification,
} as const

export const revokeClaim = defineOperation({
  ...identity('/revoke-claim'),
  id: 'revokeClaim',
  method: 'POST',
  scope: 'identity:write',
  summary: 'Revoke a claim',
  description:
    'Builds the call that empties a slot, whoever filled it. With `txHash`: confirms it, which needs the slot to be empty at the block of the receipt.',
  fieldCodes: claimCodes,
  unreadable: 'REGISTRY_PROBE_FAILED',
  legs: {
    build: {
      body: toRevoke,
      data: Data({ ...built, claimType: ClaimTypeName }),
      errors: {
        ...registerErrors,
        ...probeErrors,
        ...claimTypeErrors,
        ...providerErrors,
        ...agentErrors,
        ...revokeClaimFailed,
      },
    },
    confirm: {
      body: wasRevoked,
      data: Data(revoked),
      errors: { ...registerErrors, ...confirmErrors, ...claimTypeErrors, ...revokeClaimFailed },
    },
  },
})

export const listClaims = defineOperation({
  ...identity('/claims/{walletAddress}'),
  id: 'listClaims',
  method: 'GET',
  scope: 'identity:read',
  summary: 'List claims',
  description: 'The active claims of a wallet, by slot.',
  ...ofWallet,
  params: WalletPath,
  unreadable: 'REGISTRY_PROBE_FAILED',
  fault: 'CLAIMS_FAILED',
  legs: {
    read: {
      data: Data({ walletAddress: WalletAddress, ...registerFields, claims: Type.Array(Claim) }),
      errors: { ...registerErrors, ...probeErrors, ...claimsFailed },
    },
  },
})

export const listProofs = defineOperation({
  ...identity('/proofs/{walletAddress}'),
  id: 'listProofs',
  method: 'GET',
  scope: 'identity:read',
  summary: 'List proofs',
  description:
    'The active claims of a wallet, and for each the proof that the instance attested with it. When the chain cannot be read, what was attested.',
  ...ofWallet,
  params: WalletPath,
  fault: 'PROOFS_FAILED',
  legs: {
    read: {
      data: Data({
        walletAddress: WalletAddress,
        registryAddress: LowercaseAddress,
        rootHash: Nullable(Type.String({ description: 'The hash that the identity was verified with.' })),
        verified: Nullable(Type.Boolean()),
        frozen: Nullable(Type.Boolean()),
        chainUnavailable: Type.Boolean(),
        proofs: Type.Array(
          Data({
            claimType: Type.Integer({ minimum: 0, maximum: 7 }),
            claimTypeLabel: ClaimTypeName,
            fieldName: Nullable(Type.String()),
            proofDigest: Nullable(Type.String()),
            source: OneOf(['proof', 'manual'] as const),
            dataHash: Type.String(),
            issuer: Nullable(LowercaseAddress),
            issuedAt: Nullable(UnixSeconds),
            expiry: Nullable(Expiry),
            txHash: Nullable(Type.String()),
          }),
        ),
      }),
      errors: { ...registerErrors, ...proofsFailed },
    },
  },
})

const newProofs = {
  walletAddress: WalletAddress,
  entries: Type.Optional(Type.Array(ProofEntry)),
  registryAddress: RegistryChoice,
} as const
const txResults = Type.Array(Body({ fieldName: Type.String(), txHash: Hash }), { maxItems: 64 })

export const attestProofs = defineOperation({
  ...identity('/proofs'),
  id: 'attestProofs',
  method: 'POST',
  scope: 'identity:write',
  summary: 'Attest proofs',
  description:
    'Builds one claim per proof, to be signed in order. With `txResults` and the same entries: confirms each and keeps which proof backs which slot.',
  confirmedBy: 'txResults',
  fieldCodes: { ...walletCodes, entries: 'INVALID_ENTRY' },
  unreadable: 'REGISTRY_PROBE_FAILED',
  legs: {
    build: {
      body: Body(newProofs),
      data: Type.Union([
        Data({
          action: Type.Literal('SIGN_TRANSACTIONS'),
          ...registerFields,
          ...signerFields,
          walletAddress: WalletAddress,
          steps: Type.Array(
            Data({
              action: Type.Literal('SIGN_TRANSACTION'),
              type: Type.Literal('ADD_CLAIM'),
              transaction: Transaction,
              functionName: Type.Literal('addClaim'),
              fieldName: Type.String(),
              claimType: ClaimTypeName,
              proofDigest: Type.String(),
              dataHash: Type.String(),
              expiry: Expiry,
              description: Type.String(),
            }),
          ),
          total: Type.Integer(),
          warnings: Type.Array(
            Data({ code: Type.Literal('NON_CANONICAL_SLOT'), fieldName: Type.String(), message: Type.String() }),
          ),
          simulation: Simulation,
          confirmWith: Data({ endpoint: Type.String(), field: Type.Literal('txResults'), shape: Type.String() }),
        }),
        Data(toSign),
      ]),
      errors: { ...registerErrors, ...probeErrors, ...proofInputErrors, ...unfitIdentityErrors, ...providerErrors },
    },
    confirm: {
      body: Body({ ...newProofs, txResults }),
      data: Data({
        walletAddress: WalletAddress,
        ...registerFields,
        added: Type.Integer(),
        total: Type.Integer(),
        proofs: Type.Array(ProofOutcome),
      }),
      errors: { ...registerErrors, ...proofInputErrors, ...noProofsAdded, CHAIN_UNAVAILABLE },
    },
  },
})

export const revokeProof = defineOperation({
  ...identity('/proofs/revoke'),
  id: 'revokeProof',
  method: 'POST',
  scope: 'identity:write',
  summary: 'Revoke a proof',
  description:
    'Builds the call that empties a slot. With `txHash`: confirms it and removes what the instance kept about the proof behind it.',
  fieldCodes: claimCodes,
  unreadable: 'REGISTRY_PROBE_FAILED',
  fault: 'REVOKE_PROOF_FAILED',
  instanceGone: 'INSTANCE_NOT_FOUND',
  legs: {
    build: {
      body: toRevoke,
      data: Data({
        ...builtCall,
        claimType: ClaimTypeName,
        confirmWith: Data({ field: ConfirmWith.properties.field }),
      }),
      errors: {
        ...registerErrors,
        ...probeErrors,
        ...claimTypeErrors,
        ...providerErrors,
        ...agentErrors,
        ...revokeProofFailed,
      },
    },
    confirm: {
      body: wasRevoked,
      data: Data({
        ...revoked,
        removedProofs: Type.Integer({ description: 'How many attested proofs were taken out of the ledger.' }),
      }),
      errors: {
        ...registerErrors,
        ...confirmErrors,
        ...claimTypeErrors,
        ...otherClaimErrors,
        ...revokeProofFailed,
      },
    },
  },
})
