import { Type } from 'typebox'
import { Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { frameworks } from '../tokens/import.schemas.ts'
import { collateralModes, priceSources, UnixSeconds } from './lending.schemas.ts'

export const BUNDLE_SCHEMA_VERSION = '1.0.0'

export const ContentHash = Type.String({
  pattern: '^0x[0-9a-f]{64}$',
  description: 'keccak256 of the canonical bytes.',
})

/** What is said about the collateral of a market, in the form whose bytes are hashed. */
export const AssetDataBundle = Type.Object(
  {
    schemaVersion: Type.Literal(BUNDLE_SCHEMA_VERSION),
    market: Type.Object(
      {
        chainId: Type.Integer(),
        factory: LowercaseAddress,
        family: Type.Literal('FUNGIBLE'),
        borrowAsset: LowercaseAddress,
        collateralMode: OneOf(collateralModes),
        priceSource: OneOf(priceSources),
      },
      { additionalProperties: false },
    ),
    token: Type.Object(
      {
        tokenAddress: LowercaseAddress,
        name: Type.Optional(Type.String()),
        symbol: Type.Optional(Type.String()),
        decimals: Type.Integer(),
        framework: OneOf(frameworks),
        assetType: Type.String(),
        totalSupply: Type.String(),
      },
      { additionalProperties: false },
    ),
    profile: Type.Object(
      {
        issuerName: Type.Optional(Type.String()),
        jurisdiction: Type.Optional(Type.String()),
        sector: Type.Optional(Type.String()),
        isin: Type.Optional(Type.String()),
        website: Type.Optional(Type.String()),
        prospectusURI: Type.Optional(Type.String()),
        documents: Type.Optional(
          Type.Array(Type.Object({ name: Type.String(), uri: Type.String() }, { additionalProperties: false })),
        ),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

const exactly = { additionalProperties: false } as const

/** What a route answers that shows the bytes. */
export const sealedBundle = {
  contentHash: ContentHash,
  schemaVersion: Type.Literal(BUNDLE_SCHEMA_VERSION),
  canonicalJson: Type.String({ description: 'The exact bytes that were hashed, as text.' }),
  bundle: AssetDataBundle,
} as const

const snapshot = {
  contentHash: ContentHash,
  txHash: Nullable(Type.String({ description: 'null: the transaction was not taken down here.' })),
  schemaVersion: Nullable(Type.String()),
  bundleAvailable: Type.Boolean({ description: 'Whether the bytes can be had from the bundle route.' }),
  storedAt: Nullable(Instant),
} as const

/** What stands, who may change it, and what the caller could do about it. */
export const assetDataState = {
  marketAddress: LowercaseAddress,
  family: Type.Literal('FUNGIBLE'),
  factory: LowercaseAddress,
  factorySupport: Type.Boolean({ description: 'False: the factory predates attestation, and there is no record.' }),
  status: Nullable(
    OneOf(['NONE', 'ATTESTED', 'ACKNOWLEDGED', 'DIVERGED'], {
      description: 'Branch on this: `diverged` is also true while nothing is acknowledged.',
    }),
  ),
  record: Nullable(
    Type.Object(
      {
        attested: Nullable(ContentHash),
        acknowledged: Nullable(ContentHash),
        attestor: Nullable(LowercaseAddress),
        version: Type.Integer(),
        attestedAt: Nullable(UnixSeconds),
        acknowledgedAt: Nullable(UnixSeconds),
        diverged: Type.Boolean(),
      },
      exactly,
    ),
  ),
  diverged: Nullable(Type.Boolean()),
  attested: Nullable(
    Type.Object(
      { ...snapshot, version: Type.Integer(), attestor: LowercaseAddress, attestedAt: Instant },
      { ...exactly, description: 'What the attestor says.' },
    ),
  ),
  acknowledged: Nullable(
    Type.Object(
      { ...snapshot, version: Nullable(Type.Integer()), acknowledgedAt: Instant },
      { ...exactly, description: 'What the lender of record has seen.' },
    ),
  ),
  authority: Type.Object(
    {
      attestor: Nullable(LowercaseAddress),
      attestorRole: OneOf(['DEPLOYER', 'ISSUER']),
      acknowledgers: Type.Array(LowercaseAddress),
      seekingCurator: Type.Boolean(),
    },
    exactly,
  ),
  viewer: Type.Object(
    { wallets: Type.Array(LowercaseAddress), canAttest: Type.Boolean(), canAcknowledge: Type.Boolean() },
    exactly,
  ),
  profile: Nullable(
    Type.Object(
      {
        available: Type.Boolean(),
        currentHash: Nullable(ContentHash),
        changedSinceAttestation: Nullable(Type.Boolean()),
        schemaVersion: Type.Optional(Type.String()),
        reason: Type.Optional(Type.String({ description: 'The code that a build would answer.' })),
      },
      { ...exactly, description: 'What the token and the profile of your own instance would produce now.' },
    ),
  ),
} as const
