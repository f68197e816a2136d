import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Body, Data } from '../lending/lending.operation.ts'
import { builtA, ConfirmWith, UnixSeconds, verifiedBy } from '../lending/lending.schemas.ts'
import { Hash, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import {
  agentErrors,
  batchInputErrors,
  confirmErrors,
  entriesMismatch,
  missingCountry,
  noValidEntries,
  operatorErrors,
  probeErrors,
  providerErrors,
  RejectedEntry,
  registerErrors,
  revokeFailed,
  statusFailed,
  unsupportedRegister,
  verifyFailed,
  verifyInputErrors,
} from './identity.errors.ts'
import {
  built,
  CountryInput,
  CountryName,
  confirmed,
  Expiry,
  ExpiryDays,
  identityStatuses,
  investorTypes,
  RegistryChoice,
  registerFields,
  registerKinds,
  signerFields,
  verification,
  WalletAddress,
} from './identity.schemas.ts'
import { identity, ofWallet, WalletPath, walletCodes } from './identity-path.ts'

export * from './claims.operations.ts'
export * from './investors.operations.ts'
export * from './registries.operations.ts'

const InvestorNumber = Type.Integer({
  minimum: 1,
  maximum: 3,
  description: '1 RETAIL, 2 PROFESSIONAL, 3 ELIGIBLE_COUNTERPARTY.',
})
const { TX_TARGET_MISMATCH, ...batchTransactionErrors } = confirmErrors

/** What is known of an investor besides its wallet. */
const investorFields = {
  investorType: Type.Optional(Type.String({ description: 'RETAIL (default), PROFESSIONAL or ELIGIBLE_COUNTERPARTY.' })),
  softExpiryDays: ExpiryDays,
  hardExpiryDays: ExpiryDays,
  kycHash: Type.Optional(Hash),
  kycData: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Hashed in its canonical form and not kept.' }),
  ),
} as const

const investor = {
  walletAddress: WalletAddress,
  country: Type.Optional(CountryInput),
  ...investorFields,
  identityAddress: Type.Optional(WalletAddress),
  registryAddress: RegistryChoice,
} as const

export const verifyIdentity = defineOperation({
  ...identity('/verify'),
  id: 'verifyIdentity',
  method: 'POST',
  scope: 'identity:write',
  summary: 'Verify an identity',
  description:
    'Builds the call that verifies a wallet, or renews what is known of it. With `txHash`: confirms it and keeps the record of it.',
  fieldCodes: {
    ...walletCodes,
    country: 'INVALID_COUNTRY',
    kycHash: 'INVALID_HASH',
    investorType: 'INVALID_INVESTOR_TYPE',
    softExpiryDays: 'INVALID_EXPIRY',
    hardExpiryDays: 'INVALID_EXPIRY',
    identityAddress: 'INVALID_IDENTITY_ADDRESS',
  },
  unreadable: 'REGISTRY_PROBE_FAILED',
  legs: {
    build: {
      body: Body(investor),
      data: Data({
        ...built,
        operation: OneOf(['verify', 'update'] as const),
        country: CountryName,
        kycHash: Nullable(Type.String()),
        investorType: Nullable(InvestorNumber),
        softExpiry: Nullable(Expiry),
        hardExpiry: Nullable(Expiry),
        identityAddress: Nullable(LowercaseAddress),
      }),
      errors: {
        ...registerErrors,
        ...probeErrors,
        ...verifyInputErrors,
        ...missingCountry,
        ...providerErrors,
        ...agentErrors,
        ...verifyFailed,
      },
    },
    confirm: {
      body: Body({ ...investor, txHash: Hash }),
      data: Data({
        ...confirmed,
        status: Type.Literal('verified'),
        operation: OneOf(['verify', 'update'] as const),
        country: Nullable(CountryName),
        kycHash: Nullable(Type.String()),
        investorType: Nullable(InvestorNumber),
        ...verification,
      }),
      errors: {
        ...registerErrors,
        ...confirmErrors,
        ...verifyInputErrors,
        ...verifyFailed,
        TX_INVESTOR_TYPE_MISMATCH: { status: 400, message: 'The transaction gave the wallet another investor type.' },
      },
    },
  },
})

const investors = {
  entries: Type.Array(
    Body({
      walletAddress: Type.String(),
      country: CountryInput,
      ...investorFields,
      kycHash: Type.Optional(Type.String()),
    }),
    { minItems: 1, maxItems: 500 },
  ),
  registryAddress: RegistryChoice,
} as const

export const batchVerifyIdentities = defineOperation({
  ...identity('/batch-verify'),
  id: 'batchVerifyIdentities',
  method: 'POST',
  scope: 'identity:write',
  summary: 'Verify several identities',
  description:
    'Builds one call that verifies up to 500 wallets. Entries that cannot be verified are left out and listed. With `txHash` and the same entries: confirms it.',
  largestBody: 256 * 1024,
  fieldCodes: { entries: 'INVALID_INPUT', registryAddress: 'INVALID_ADDRESS' },
  unreadable: 'REGISTRY_PROBE_FAILED',
  legs: {
    build: {
      body: Body(investors),
      data: Data({
        ...builtA,
        ...registerFields,
        ...signerFields,
        description: Type.String(),
        submitted: Type.Integer(),
        accepted: Type.Integer(),
        totalEntries: Type.Integer(),
        rejectedCount: Type.Integer(),
        rejected: Type.Array(RejectedEntry),
        entries: Type.Array(
          Data({
            index: Type.Integer({ description: 'Place in the request.' }),
            walletAddress: WalletAddress,
            country: CountryName,
            kycHash: Type.String(),
            investorType: InvestorNumber,
            softExpiry: Expiry,
            hardExpiry: Expiry,
          }),
        ),
        gasLimit: Type.String({ description: 'Less gas makes the call verify fewer wallets instead of failing.' }),
        entriesPerTransaction: Type.Integer({ description: 'How many fit under the gas limit of a transaction.' }),
        confirmWith: ConfirmWith,
      }),
      errors: {
        ...registerErrors,
        ...probeErrors,
        ...batchInputErrors,
        ...noValidEntries,
        ...unsupportedRegister,
        ...providerErrors,
      },
    },
    confirm: {
      body: Body({ ...investors, txHash: Hash }),
      data: Data({
        ...registerFields,
        submitted: Type.Integer(),
        accepted: Type.Integer(),
        totalEntries: Type.Integer(),
        rejectedCount: Type.Integer(),
        rejected: Type.Array(RejectedEntry),
        verified: Type.Array(WalletAddress),
        onChainSkipped: Type.Array(Data({ index: Type.Integer(), walletAddress: WalletAddress }), {
          description:
            'The registry passed over them: verified already, given up, or with an expiry that came meanwhile.',
        }),
        notProcessed: Type.Array(Data({ index: Type.Integer(), walletAddress: WalletAddress }), {
          description: 'The gas did not reach so far: send them again.',
        }),
        txHash: Type.String(),
        gasUsed: Type.String(),
        ...verifiedBy,
      }),
      errors: {
        ...registerErrors,
        ...batchTransactionErrors,
        ...batchInputErrors,
        ...noValidEntries,
        ...unsupportedRegister,
        ...entriesMismatch,
      },
    },
  },
})

const verified = { walletAddress: WalletAddress, registryAddress: RegistryChoice } as const

export const revokeIdentity = defineOperation({
  ...identity('/revoke'),
  id: 'revokeIdentity',
  method: 'POST',
  scope: 'identity:write',
  summary: 'Revoke an identity',
  description: 'Builds the call that revokes the identity of a wallet with all its claims. With `txHash`: confirms it.',
  fieldCodes: walletCodes,
  unreadable: 'REGISTRY_PROBE_FAILED',
  legs: {
    build: {
      body: Body(verified),
      data: Data(built),
      errors: { ...registerErrors, ...probeErrors, ...operatorErrors, ...agentErrors, ...revokeFailed },
    },
    confirm: {
      body: Body({ ...verified, txHash: Hash }),
      data: Data({
        ...confirmed,
        status: Type.Literal('revoked'),
        reverified: Type.Boolean({ description: 'The wallet was verified again since.' }),
        ...verification,
      }),
      errors: { ...registerErrors, ...confirmErrors, ...revokeFailed },
    },
  },
})

export const getIdentityStatus = defineOperation({
  ...identity('/status/{walletAddress}'),
  id: 'getIdentityStatus',
  method: 'GET',
  scope: 'identity:read',
  summary: 'Get the status of an identity',
  description:
    'What the registry says about a wallet now, and what the instance recorded last. A chain that cannot be read is reported in the answer, not refused.',
  ...ofWallet,
  params: WalletPath,
  fault: 'STATUS_FAILED',
  legs: {
    read: {
      data: Data({
        walletAddress: WalletAddress,
        registerKind: Nullable(OneOf(registerKinds)),
        registryAddress: LowercaseAddress,
        onChain: Data({
          kycHash: Nullable(Type.String()),
          investorType: Nullable(Type.Integer({ minimum: 0, maximum: 3 })),
          investorTypeLabel: Nullable(OneOf(investorTypes)),
          kycProvider: Nullable(LowercaseAddress),
          identityAddress: Nullable(LowercaseAddress),
          country: Nullable(CountryName),
          timestamp: Nullable(UnixSeconds),
          softExpiry: Nullable(Expiry),
          hardExpiry: Nullable(Expiry),
          status: Nullable(OneOf(identityStatuses)),
          statusCode: Nullable(Type.Integer({ minimum: 0, maximum: 3 })),
          frozen: Nullable(Type.Boolean()),
          isVerified: Nullable(Type.Boolean()),
          unavailable: Type.Optional(Type.Literal(true)),
          unavailableReason: Type.Optional(Type.String()),
        }),
        offChain: Nullable(
          Data({
            status: OneOf(['verified', 'revoked'] as const),
            country: Nullable(CountryName),
            investorType: Nullable(OneOf(investorTypes)),
            verifiedAt: Nullable(Instant),
            txHash: Type.String(),
          }),
        ),
      }),
      errors: { ...registerErrors, ...statusFailed },
    },
  },
})
