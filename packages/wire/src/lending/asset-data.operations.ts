import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import {
  acknowledgeErrors,
  attestErrors,
  bundleErrors,
  confirmAcknowledgementErrors,
  confirmAttestationErrors,
  previewErrors,
  readErrors,
} from './asset-data.errors.ts'
import { assetDataState, ContentHash, sealedBundle } from './asset-data.schemas.ts'
import { Body, Data, lendingPath } from './lending.operation.ts'
import { builtA, ConfirmWith, collateralModes, priceSources, verifiedBy } from './lending.schemas.ts'

/** What all routes of one market share: its address, not the id of a record, for the lender reads it too. */
const ofMarket = {
  params: Type.Object({ market: Address }),
  fieldCodes: { market: 'VALIDATION_ERROR' },
  plainValidation: true,
  unreadable: 'FACTORY_READ_FAILED',
} as const

export const previewAssetData = defineOperation({
  ...lendingPath('/markets/asset-data/preview'),
  id: 'previewAssetData',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Preview asset data',
  description: 'The bundle that a deployment with these choices would attest now. Stores nothing.',
  query: Type.Object({
    collateralTokenAddress: Address,
    borrowAssetAddress: Type.String(),
    mode: Type.Optional(OneOf(collateralModes)),
    priceSource: Type.Optional(OneOf(priceSources)),
  }),
  plainValidation: true,
  fault: 'ASSET_DATA_PREVIEW_FAILED',
  unreadable: 'FACTORY_READ_FAILED',
  legs: {
    read: {
      data: Data({
        ...sealedBundle,
        token: Data({ address: LowercaseAddress, name: Type.String(), symbol: Type.String() }),
        factorySupport: Type.Boolean({ description: 'Whether the factory keeps attestations.' }),
      }),
      errors: previewErrors,
    },
  },
})

export const getAssetData = defineOperation({
  ...lendingPath('/markets/{market}/asset-data'),
  ...ofMarket,
  id: 'getAssetData',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get asset data',
  description:
    'What is attested about the collateral of a market and whether its lender has seen it. Open to the instances that deployed or adopted the market, that are nominated, or that may claim it.',
  fault: 'ASSET_DATA_READ_FAILED',
  legs: {
    read: {
      data: Data({ ...assetDataState, origin: OneOf(['OWN', 'NOMINATED', 'OPEN']) }),
      errors: readErrors,
    },
  },
})

export const getAssetDataBundle = defineOperation({
  ...lendingPath('/markets/{market}/asset-data/bundle'),
  ...ofMarket,
  id: 'getAssetDataBundle',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get an asset data bundle',
  description:
    'The exact bytes behind a content hash, hashed again before they are served. Without `hash`: those that stand. Bundles that were built but never signed can be read, too.',
  query: Type.Object({ hash: Type.Optional(Hash) }),
  fault: 'ASSET_DATA_BUNDLE_FAILED',
  legs: {
    read: {
      data: Data({
        marketAddress: LowercaseAddress,
        ...sealedBundle,
        version: Nullable(Type.Integer({ description: 'null: never attested, as far as is known here.' })),
        attestor: Nullable(LowercaseAddress),
        storedAt: Instant,
        standing: Type.Boolean(),
        acknowledged: Type.Boolean(),
        hashing: Type.Literal('keccak256(utf8(canonicalJson))'),
        verification: Data({ rehash: ContentHash, matches: Type.Literal(true) }),
      }),
      errors: bundleErrors,
    },
  },
})

export const attestAssetData = defineOperation({
  ...lendingPath('/markets/{market}/asset-data/attest'),
  ...ofMarket,
  id: 'attestAssetData',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Attest asset data',
  description:
    "Replaces the standing attestation with the bundle that the instance's token profile now produces. The bytes are stored when the transaction is built.",
  fault: 'ATTEST_BUILD_FAILED',
  legs: {
    build: {
      data: Data({
        ...builtA,
        marketAddress: LowercaseAddress,
        signer: LowercaseAddress,
        signerRole: OneOf(['DEPLOYER', 'ISSUER']),
        ...sealedBundle,
        previousHash: Nullable(ContentHash),
        previousVersion: Type.Integer(),
        nextVersion: Type.Integer(),
        acknowledged: Nullable(ContentHash),
        divergesAfter: Type.Boolean({ description: 'True when an acknowledgement exists.' }),
        note: Type.String(),
        confirmWith: ConfirmWith,
      }),
      errors: attestErrors,
    },
  },
})

export const confirmAttestation = defineOperation({
  ...lendingPath('/markets/{market}/asset-data/attest/confirm'),
  ...ofMarket,
  id: 'confirmAttestation',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Confirm an attestation',
  description: 'Takes the transaction of an attestation, or of the deployment that made the first one.',
  body: Body({ txHash: Hash }),
  fault: 'ATTEST_CONFIRM_FAILED',
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    confirm: {
      data: Data({
        txHash: Type.String(),
        signer: LowercaseAddress,
        ...verifiedBy,
        attestation: Data({
          contentHash: ContentHash,
          previousHash: Nullable(ContentHash),
          version: Type.Integer(),
          attestor: LowercaseAddress,
          bundleAvailable: Type.Boolean(),
        }),
        assetData: Data(assetDataState),
      }),
      errors: confirmAttestationErrors,
    },
  },
})

export const acknowledgeAssetData = defineOperation({
  ...lendingPath('/markets/{market}/asset-data/acknowledge'),
  ...ofMarket,
  id: 'acknowledgeAssetData',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Acknowledge asset data',
  description: 'The lender of record, or its admin, says that it has seen the bundle that stands.',
  body: Body({ contentHash: Hash }),
  fault: 'ACKNOWLEDGE_BUILD_FAILED',
  legs: {
    build: {
      data: Data({
        ...builtA,
        marketAddress: LowercaseAddress,
        signer: LowercaseAddress,
        contentHash: ContentHash,
        version: Type.Integer(),
        attestor: LowercaseAddress,
        attestedAt: Instant,
        previouslyAcknowledged: Nullable(ContentHash),
        schemaVersion: Nullable(Type.String()),
        bundleAvailable: Type.Boolean(),
        confirmWith: ConfirmWith,
      }),
      errors: acknowledgeErrors,
    },
  },
})

export const confirmAcknowledgement = defineOperation({
  ...lendingPath('/markets/{market}/asset-data/acknowledge/confirm'),
  ...ofMarket,
  id: 'confirmAcknowledgement',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Confirm an acknowledgement',
  description: 'Takes the transaction of an acknowledgement, or of the adoption that made one.',
  body: Body({ txHash: Hash }),
  fault: 'ACKNOWLEDGE_CONFIRM_FAILED',
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    confirm: {
      data: Data({
        txHash: Type.String(),
        signer: LowercaseAddress,
        ...verifiedBy,
        acknowledgement: Data({ contentHash: ContentHash, version: Type.Integer(), curator: LowercaseAddress }),
        assetData: Data(assetDataState),
      }),
      errors: confirmAcknowledgementErrors,
    },
  },
})
