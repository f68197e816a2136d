import { Type } from 'typebox'
import { LowercaseAddress, OneOf } from '../primitives.ts'
import { frameworks } from '../tokens/import.schemas.ts'
import { collateralModes, priceSources } from './lending.schemas.ts'

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
