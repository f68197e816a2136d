import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Address, DecimalString, Hash, LowercaseAddress, Nullable } from '../primitives.ts'
import { deployedMarketErrors, marketErrors, transactionErrors, validationErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { builtA, IntegerString, pageQuery, UnixSeconds, verifiedBy } from './lending.schemas.ts'
import {
  attestationErrors,
  oracleHistoryErrors,
  oracleUnreachable,
  priceErrors,
  priceHistoryErrors,
  signErrors,
  syncSignerErrors,
} from './oracle.errors.ts'
import {
  OracleStatus,
  PriceAttestation,
  PriceInput,
  PriceTypedData,
  PushedHistoryRow,
  SignedHistoryRow,
  signedPrice,
} from './oracle.schemas.ts'

const optional = Type.Optional
const priceCodes = { ...marketIdCode, price: 'MISSING_PRICE' } as const

export const getOracleStatus = defineOperation({
  ...lendingPath('/markets/{marketId}/oracle-status'),
  id: 'getOracleStatus',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get oracle status',
  description:
    'The price, its age and limits, and who may sign one. An oracle that cannot be read answers nulls with `readFailed`.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  legs: { read: { data: OracleStatus, errors: deployedMarketErrors } },
})

const pushedPrice = { price: PriceInput, signerAddress: optional(Address) } as const

export const syncOracle = defineOperation({
  ...lendingPath('/markets/{marketId}/sync-oracle'),
  id: 'syncOracle',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Push a price',
  description:
    'Builds `updatePrice`; or `updatePriceWithSignature`, which anybody may send, when your instance recorded a fresh signed price of exactly this value. With `txHash` and the same price: confirms it.',
  params: MarketPath,
  fieldCodes: priceCodes,
  unreadable: 'ORACLE_UNREACHABLE',
  legs: {
    build: {
      body: Body(pushedPrice),
      data: Data({
        success: Type.Literal(true),
        ...builtA,
        signer: LowercaseAddress,
        attestationId: optional(Type.String({ description: 'The signed price that the transaction carries.' })),
        previousPrice: DecimalString,
        newPrice: DecimalString,
        confirmWith: Data({
          endpoint: Type.String(),
          field: Type.Literal('txHash'),
          body: Data({ price: DecimalString, txHash: Type.Null() }),
        }),
      }),
      errors: { ...deployedMarketErrors, ...priceErrors, ...syncSignerErrors, ...oracleUnreachable },
    },
    confirm: {
      body: Body({ ...pushedPrice, txHash: Hash }),
      data: Data({
        txHash: Type.String(),
        previousPrice: DecimalString,
        newPrice: DecimalString,
        updater: LowercaseAddress,
        ...verifiedBy,
      }),
      errors: { ...deployedMarketErrors, ...priceErrors, ...transactionErrors },
    },
  },
})

export const signPrice = defineOperation({
  ...lendingPath('/markets/{marketId}/sign-price'),
  id: 'signPrice',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Sign a price',
  description:
    'The typed data that an authorized signer signs off chain. Whoever holds the signature may submit it until `validUntil`.',
  params: MarketPath,
  body: Body({
    price: PriceInput,
    validitySeconds: optional(Type.Integer({ description: 'Default 300; held between 60 and 3600.' })),
    signerAddress: optional(Address),
  }),
  fieldCodes: priceCodes,
  unreadable: 'ORACLE_UNREACHABLE',
  legs: {
    read: {
      data: Data({
        action: Type.Literal('SIGN_TYPED_DATA'),
        typedData: PriceTypedData,
        display: Data({ title: Type.String(), price: Type.String(), validUntil: Type.String(), note: Type.String() }),
        price: IntegerString,
        priceUsd: DecimalString,
        timestamp: UnixSeconds,
        validUntil: UnixSeconds,
        signer: LowercaseAddress,
      }),
      errors: { ...deployedMarketErrors, ...priceErrors, ...signErrors, ...oracleUnreachable },
    },
  },
})

export const verifyPrice = defineOperation({
  ...lendingPath('/markets/{marketId}/verify-price'),
  id: 'verifyPrice',
  method: 'POST',
  scope: 'lending:read',
  summary: 'Verify a signed price',
  description: 'Asks the oracle itself whether it would accept a signed price now. Changes nothing.',
  params: MarketPath,
  body: Body(signedPrice),
  fieldCodes: marketIdCode,
  legs: {
    read: {
      data: Data({
        valid: Nullable(Type.Boolean({ description: 'null: the oracle could not be asked.' })),
        signer: Nullable(
          Type.String({ description: 'Who signed; the zero address: refused before that was looked at.' }),
        ),
        error: Nullable(Type.String()),
      }),
      errors: deployedMarketErrors,
    },
  },
})

export const recordPriceAttestation = defineOperation({
  ...lendingPath('/markets/{marketId}/price-attestation'),
  id: 'recordPriceAttestation',
  method: 'POST',
  scope: 'lending:write',
  summary: 'Record a signed price',
  description: 'Stores a signed price that the oracle accepts now, so that it can be pushed and found in the history.',
  params: MarketPath,
  body: Body(signedPrice),
  fieldCodes: marketIdCode,
  fault: 'ATTESTATION_FAILED',
  unreadable: 'ORACLE_UNREACHABLE',
  legs: {
    write: {
      data: Data({ attestation: PriceAttestation, alreadyRecorded: Type.Boolean() }),
      errors: { ...deployedMarketErrors, ...attestationErrors, ...oracleUnreachable },
    },
  },
})

export const getVerifySigner = defineOperation({
  ...lendingPath('/markets/{marketId}/verify-signer'),
  id: 'getVerifySigner',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Verify the price signer',
  description: 'Whether the wallet that would sign a price, when none is named, is accepted by the oracle.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  legs: {
    read: {
      data: Data({
        signerAddress: Nullable(LowercaseAddress),
        oracleAddress: LowercaseAddress,
        isAuthorized: Nullable(Type.Boolean({ description: 'null: could not be read.' })),
      }),
      errors: deployedMarketErrors,
    },
  },
})

export const getOracleHistory = defineOperation({
  ...lendingPath('/markets/{marketId}/oracle-history'),
  id: 'getOracleHistory',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get oracle history',
  description:
    'Signed prices that were reported and prices that reached the oracle, each newest first and paged by the same `limit` (20, at most 100), `offset` and `cursor`.',
  params: MarketPath,
  query: Type.Object(pageQuery),
  fieldCodes: marketIdCode,
  fault: 'ORACLE_HISTORY_FAILED',
  legs: {
    read: {
      data: Data({
        signed: Type.Array(SignedHistoryRow),
        pushed: Type.Array(PushedHistoryRow),
        signedTotal: Type.Integer(),
        pushedTotal: Type.Integer(),
        limit: Type.Integer(),
        offset: Type.Integer(),
        nextCursor: Nullable(Type.String()),
        syncedBlock: Nullable(Type.String({ description: 'Up to this block every price is listed.' })),
        settlementSymbol: Type.String(),
      }),
      errors: { ...deployedMarketErrors, ...validationErrors, ...oracleHistoryErrors },
    },
  },
})

export const getPriceHistory = defineOperation({
  ...lendingPath('/positions/{marketId}/price-history', 'stocks'),
  id: 'getPriceHistory',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get price history',
  description:
    'Every price the oracle took, oldest first, at most the 1,000 newest; and the price it holds now. Figures are JSON numbers.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  unreadable: 'PRICE_HISTORY_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        currentPrice: Type.Number(),
        history: Type.Array(Data({ timestamp: Type.Integer({ description: 'Milliseconds.' }), price: Type.Number() })),
        symbol: Type.String(),
        marketId: Type.String(),
      }),
      errors: { ...marketErrors, ...priceHistoryErrors },
    },
  },
})
