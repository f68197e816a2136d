import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { DecimalString, Nullable, OneOf } from '../primitives.ts'
import {
  historyRanges,
  historyResolutions,
  IndexStatus,
  MarketHistory,
  MarketTransaction,
  marketMetrics,
} from './figures.schemas.ts'
import { deployedMarketErrors, marketErrors, unreadableErrors, validationErrors } from './lending.errors.ts'
import { Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { pageQuery } from './lending.schemas.ts'

const optional = Type.Optional

export const getMetrics = defineOperation({
  ...lendingPath('/markets/{marketId}/metrics'),
  id: 'getMetrics',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get metrics',
  description:
    'The figures of a market at one block. A market that cannot be read answers nulls with `readFailed`, never placeholders.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  legs: { read: { data: Data(marketMetrics), errors: deployedMarketErrors } },
})

export const getMaxBorrow = defineOperation({
  ...lendingPath('/markets/{marketId}/max-borrow'),
  id: 'getMaxBorrow',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get max borrow',
  description:
    'What an amount of collateral carries at the stored price: amount x price x collateral factor. Knows no liquidity, cap or minimum.',
  params: MarketPath,
  query: Type.Object({ collateralAmount: optional(Type.String({ maxLength: 100, description: 'Required.' })) }),
  fieldCodes: { ...marketIdCode, collateralAmount: 'INVALID_AMOUNT' },
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    read: {
      data: Data({
        collateralAmount: DecimalString,
        maxBorrow: DecimalString,
        isStale: Nullable(Type.Boolean()),
        priceAge: Nullable(Type.Integer({ description: 'Seconds.' })),
      }),
      errors: {
        ...deployedMarketErrors,
        INVALID_AMOUNT: {
          status: 400,
          message: 'collateralAmount must be a decimal above zero, no finer than the collateral token.',
        },
        ...unreadableErrors,
      },
    },
  },
})

export const getSupplyCaps = defineOperation({
  ...lendingPath('/markets/{marketId}/supply-caps'),
  id: 'getSupplyCaps',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get supply caps',
  description:
    'How much collateral the market takes in all, and of one borrower over all loans; 0 is no cap. Nulls with `readFailed` when the chain cannot be read.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  legs: {
    read: {
      data: Data({
        maxTotalCollateral: Nullable(DecimalString),
        maxUserCollateral: Nullable(DecimalString),
        currentTotalCollateral: Nullable(DecimalString),
        readFailed: optional(Type.Literal(true)),
      }),
      errors: deployedMarketErrors,
    },
  },
})

export const listMarketTransactions = defineOperation({
  ...lendingPath('/markets/{marketId}/transactions'),
  id: 'listMarketTransactions',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List transactions',
  description:
    'Everything that happened on the contracts of the market, whoever did it, newest first: `limit` 50 (at most 200), `offset` within the newest 2,000, or `cursor` to go on for ever.',
  params: MarketPath,
  query: Type.Object(pageQuery),
  fieldCodes: marketIdCode,
  legs: {
    read: {
      data: Data({
        transactions: Type.Array(MarketTransaction),
        total: Type.Integer({ description: 'Lines from the cursor on, at most 2,000.' }),
        hasMore: Type.Boolean(),
        limit: Type.Integer(),
        offset: Type.Integer(),
        nextCursor: Nullable(Type.String()),
      }),
      errors: { ...deployedMarketErrors, ...validationErrors },
    },
  },
})

export const getHistory = defineOperation({
  ...lendingPath('/markets/{marketId}/history'),
  id: 'getHistory',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get history',
  description:
    'Hourly or daily points from the snapshots that the market emitted (`pokeSnapshot`, which anybody may call) and the volumes of every bucket. Default: 30d by day; 24h and 7d by hour.',
  params: MarketPath,
  query: Type.Object({ range: optional(OneOf(historyRanges)), resolution: optional(OneOf(historyResolutions)) }),
  fieldCodes: marketIdCode,
  unreadable: 'MARKET_STATE_UNAVAILABLE',
  legs: {
    read: { data: MarketHistory, errors: { ...marketErrors, ...validationErrors, ...unreadableErrors } },
  },
})

export const getIndexStatus = defineOperation({
  ...lendingPath('/markets/{marketId}/index-status'),
  id: 'getIndexStatus',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get index status',
  description: 'How far the record of events has come with the contracts of this market.',
  params: MarketPath,
  fieldCodes: marketIdCode,
  legs: { read: { data: IndexStatus, errors: marketErrors } },
})
