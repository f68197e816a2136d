import { Type } from 'typebox'
import { Data } from '../lending/lending.operation.ts'
import { builtA, ConfirmWith, UnixSeconds, verifiedBy } from '../lending/lending.schemas.ts'
import { Address, Hash, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'

/** The eight slots of an identity, by index. */
export const claimSlots = [
  'KYC',
  'AML',
  'ACCREDITATION',
  'RESIDENCY',
  'CITIZENSHIP',
  'TAX_RESIDENCY',
  'SANCTIONS_CHECK',
  'PEP_CHECK',
] as const
export type ClaimSlot = (typeof claimSlots)[number]

/** Our own registry, or an ERC-3643 registry whose claims stand on ONCHAINID contracts. */
export const registerKinds = ['TALLYSTICK', 'TREX'] as const
export type RegisterKind = (typeof registerKinds)[number]

/** In the order of the contract. */
export const investorTypes = ['NONE', 'RETAIL', 'PROFESSIONAL', 'ELIGIBLE_COUNTERPARTY'] as const
export type InvestorType = (typeof investorTypes)[number]

export const identityStatuses = ['active', 'soft_expired', 'hard_expired', 'revoked', 'none'] as const

export const WalletAddress = Type.String({
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: 'Address of the investor, with its checksum.',
})
export const ClaimTypeInput = Type.Union([Type.String(), Type.Integer({ minimum: 0, maximum: 7 })], {
  description: 'A slot by its name, in any case, or by its index: 0 KYC to 7 PEP_CHECK.',
})
export const ClaimTypeName = OneOf(claimSlots)
export const Expiry = Type.Integer({ description: 'Unix seconds of chain time; 0 for never.' })
/** The registry to act on; default: the registry of this deployment. */
export const RegistryChoice = Type.Optional(Address)
export const ExpiryDays = Type.Optional(Type.Integer({ minimum: 0, maximum: 36_500, description: '0: never.' }))

/** A country in any of the three forms of ISO 3166-1. */
export const CountryInput = Type.Union(
  [Type.String({ minLength: 1, maxLength: 3 }), Type.Integer({ minimum: 1, maximum: 999 })],
  { description: 'ISO 3166-1: two letters, three letters, or the number.' },
)
export const CountryName = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 3166-1, three letters.' })

export const registerFields = {
  registerKind: OneOf(registerKinds),
  registryAddress: LowercaseAddress,
} as const

/** Who has to sign a call, as far as wallets of the instance go. */
export const signerFields = {
  requiredRole: Type.String(),
  signerAddress: Nullable(LowercaseAddress),
} as const

/** One call about one wallet. */
export const builtCall = {
  ...builtA,
  ...registerFields,
  ...signerFields,
  walletAddress: WalletAddress,
  description: Type.String(),
} as const
export const built = { ...builtCall, confirmWith: ConfirmWith } as const

/** What a change did to the tokens that ask this registry. */
export const verification = {
  verification: Type.Array(
    Data({
      tokenAddress: LowercaseAddress,
      before: Nullable(Type.Boolean({ description: 'Verified at the block before; null: could not be read.' })),
      after: Nullable(Type.Boolean({ description: 'Verified at the block of the receipt.' })),
    }),
    { description: 'One row for each imported token of the instance that asks this registry.' },
  ),
} as const

export const confirmed = {
  walletAddress: WalletAddress,
  txHash: Type.String(),
  gasUsed: Type.String(),
  ...verifiedBy,
  ...registerFields,
} as const

/** What a claim issuer has to sign before the claim can be added to an ONCHAINID. */
export const ClaimMessage = Data({
  claimType: ClaimTypeName,
  fieldName: Type.Optional(Type.String()),
  message: Type.String({ description: 'The 32 bytes to sign as a personal message (EIP-191).' }),
  claimIssuer: LowercaseAddress,
  signerAddress: Nullable(LowercaseAddress),
})

export const Claim = Data({
  claimType: Type.Integer({ minimum: 0, maximum: 7 }),
  claimTypeLabel: ClaimTypeName,
  dataHash: Type.String(),
  issuer: LowercaseAddress,
  issuedAt: Nullable(UnixSeconds),
  expiry: Nullable(Expiry),
  active: Type.Literal(true),
})

export const ClaimSignature = Type.String({
  pattern: '^0x([0-9a-fA-F]{2}){1,1024}$',
  description: 'What the claim issuer signed; an ERC-3643 registry asks for it.',
})

/** `proofDigest` is the hash of the proof file; the registry stores `dataHash`, by default the same. */
export const ProofEntry = Type.Object(
  {
    fieldName: Type.String({
      description: 'What the proof is about; root, investorType, country and nationality name their slot.',
    }),
    claimType: Type.Optional(ClaimTypeInput),
    proofDigest: Hash,
    dataHash: Type.Optional(Hash),
    expiryDays: ExpiryDays,
    signature: Type.Optional(ClaimSignature),
  },
  { additionalProperties: false },
)
