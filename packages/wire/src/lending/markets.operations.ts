import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, DecimalString, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { AssetDataBundle, BUNDLE_SCHEMA_VERSION, ContentHash } from './asset-data.schemas.ts'
import { marketErrors, validationErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode, withHash } from './lending.operation.ts'
import { AssetRef, Bps, builtA, collateralModes, priceSources, rateModes, verifiedBy } from './lending.schemas.ts'
import { deployBuildErrors, deployConfirmErrors } from './markets.errors.ts'
import { OnChainMarket, StoredMarket, storedMarket, UnreadMarket } from './markets.schemas.ts'

const optional = Type.Optional
const rate = (minimum: number) => Type.Integer({ minimum, maximum: 50_000, description: 'Basis points a year.' })

export const getDeploymentOptions = defineOperation({
  ...lendingPath('/markets/deployment-options'),
  id: 'getDeploymentOptions',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get deployment options',
  description:
    'What a market can be deployed with on the chain of the instance. A factory that cannot be read answers nulls.',
  legs: {
    read: {
      data: Data({
        factory: Data({
          address: Nullable(LowercaseAddress),
          creatorRateCeilingBps: Nullable(Bps),
          openFeeRaw: Nullable(Type.String()),
          repayFeeRaw: Nullable(Type.String()),
        }),
        modes: Type.Array(OneOf(collateralModes)),
        priceSources: Data({
          options: Type.Array(OneOf(priceSources)),
          default: Type.Literal('NAV'),
          marketRequiresIdentityRegistry: Type.Literal(true),
        }),
        rateOffering: Data({
          modes: Type.Array(OneOf(rateModes)),
          default: Type.Literal('CURVE'),
          creatorRateCeilingBps: Nullable(Bps),
          fixedRequiresTerms: Type.Literal(true),
          capSuspendsBorrows: Type.Literal(false),
        }),
        operatorShare: Data({ fixed: Type.Literal(true), bps: Bps, acceptedAtDeployment: Type.Literal(false) }),
        distributorShare: Data({ fixed: Type.Literal(true), bps: Bps }),
        termOffering: Data({
          maxLoanDurationDaysRange: Type.Array(Type.Integer()),
          termGracePeriodDaysRange: Type.Array(Type.Integer()),
          graceDefaultDays: Type.Integer(),
        }),
        borrowAsset: Data({ minDecimals: Type.Literal(6), maxDecimals: Type.Literal(18) }),
        maxCandidates: Type.Literal(20),
      }),
      errors: {},
    },
  },
})

export const listBorrowAssets = defineOperation({
  ...lendingPath('/markets/borrow-assets'),
  id: 'listBorrowAssets',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List borrow assets',
  description: 'ERC-20 tokens of 6 to 18 decimals that your instance imported, newest first. Any other works as well.',
  legs: {
    read: {
      data: Data({
        assets: Type.Array(
          Data({
            address: Type.String({ description: 'Checksummed.' }),
            symbol: Type.String(),
            name: Type.String(),
            decimals: Type.Integer(),
            isDefault: Type.Boolean(),
          }),
        ),
        custom: Data({ minDecimals: Type.Literal(6), maxDecimals: Type.Literal(18) }),
      }),
      errors: {},
    },
  },
})

const newMarket = {
  borrowAssetAddress: Type.String({ description: 'Required to build.' }),
  mode: optional(OneOf(collateralModes)),
  priceSource: optional(OneOf(priceSources)),
  initialPrice: optional(Type.String({ description: 'Borrow asset per whole collateral token. Required to build.' })),
  candidates: optional(Type.Array(Address, { maxItems: 20 })),
  openToAnyCurator: optional(Type.Boolean()),
  identityRegistry: optional(Type.String({ description: 'Register of borrowers; required with MARKET prices.' })),
  providerRegistry: optional(Type.String({ description: 'Recorded as a proposal to the lender of record.' })),
  fallbackDecimals: optional(Type.Integer({ minimum: 0, maximum: 18 })),
  rateMode: optional(OneOf(rateModes)),
  rateFloorBps: optional(rate(0)),
  rateCapBps: optional(rate(1)),
  fixedRateBps: optional(rate(1)),
  maxLoanDurationDays: optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  terminalDueDate: optional(Type.Integer({ minimum: 1, description: 'Unix seconds.' })),
  termGracePeriodDays: optional(Type.Integer({ minimum: 1, maximum: 30 })),
  operatorShareBps: optional(Type.Integer()),
} as const

export const deployMarket = defineOperation({
  ...lendingPath('/markets/deploy'),
  id: 'deployMarket',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Deploy a market',
  description:
    'Builds one transaction that creates market, oracle, rate model, insurance fund, adapter and router and attests the asset data. With `txHash`: confirms it; other fields are then cross-checks.',
  unreadable: 'FACTORY_READ_FAILED',
  legs: {
    build: {
      body: Body({ collateralTokenAddress: Address, ...newMarket }),
      data: Data({
        ...builtA,
        marketId: Type.String({ description: 'The record that the confirmation will complete.' }),
        collateralTokenAddress: LowercaseAddress,
        mode: OneOf(collateralModes),
        priceSource: OneOf(priceSources),
        initialPrice: DecimalString,
        borrowAsset: AssetRef,
        signer: LowercaseAddress,
        assetData: Data({
          contentHash: ContentHash,
          schemaVersion: Type.Literal(BUNDLE_SCHEMA_VERSION),
          canonicalJson: Type.String(),
          bundle: AssetDataBundle,
          attestor: LowercaseAddress,
          note: Type.String(),
        }),
        candidates: Type.Array(LowercaseAddress),
        seekingCurator: Type.Literal(true),
        openToAnyCurator: Type.Boolean(),
        rateOffering: Data({ rateMode: OneOf(rateModes), rateFloorBps: Bps, rateCapBps: Bps }),
        termOffering: Data({
          maxLoanDurationSeconds: Type.Integer(),
          termGracePeriodSeconds: Type.Integer(),
          terminalDueDate: Nullable(Type.Integer()),
          graceDefaultApplies: Type.Boolean(),
        }),
        feeShares: Data({
          operatorBps: Bps,
          distributorBps: Bps,
          fixed: Type.Literal(true),
          ofBase: Type.Literal('AFTER_INFRASTRUCTURE'),
        }),
        confirmWith: Data({
          endpoint: Type.String(),
          field: Type.Literal('txHash'),
          body: Data({ collateralTokenAddress: LowercaseAddress, txHash: Type.Null() }),
        }),
      }),
      errors: deployBuildErrors,
    },
    confirm: {
      body: Body({ collateralTokenAddress: Address, ...withHash(newMarket).properties }),
      data: Data({
        market: StoredMarket,
        txHash: Type.String(),
        ...verifiedBy,
        liquidationRouterAddress: LowercaseAddress,
        pendingCurator: Type.Literal(true),
        assetData: Data({
          contentHash: ContentHash,
          version: Type.Literal(1),
          attestor: LowercaseAddress,
          bundleAvailable: Type.Boolean(),
        }),
        nextSteps: Data({ endpoint: Type.String(), description: Type.String() }),
      }),
      errors: deployConfirmErrors,
    },
  },
})

export const listMarkets = defineOperation({
  ...lendingPath('/markets'),
  id: 'listMarkets',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List markets',
  description:
    'Every active market record of the instance, newest first. `includeOnChain=true` adds what the chain says now.',
  query: Type.Object({ includeOnChain: Type.Optional(Type.String()) }),
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        markets: Type.Array(
          Data({ ...storedMarket, onChain: Type.Optional(Nullable(Type.Union([OnChainMarket, UnreadMarket]))) }),
        ),
      }),
      errors: {
        ...validationErrors,
        MARKET_STATE_UNAVAILABLE: {
          status: 503,
          retry: true,
          message: 'The chain could not be read. This is not an empty list.',
        },
      },
    },
  },
})

export const getMarket = defineOperation({
  ...lendingPath('/markets/{marketId}'),
  id: 'getMarket',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get a market',
  description: 'The record and what the chain says now; `onChain` is null while the market is not deployed.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({ ...storedMarket, onChain: Nullable(Type.Union([OnChainMarket, UnreadMarket])) }),
      errors: {
        ...marketErrors,
        MARKET_STATE_UNAVAILABLE: { status: 503, retry: true, message: 'The chain could not be read. Try again.' },
      },
    },
  },
})
