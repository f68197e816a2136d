import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, Hash, Id, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { attestationErrors, setupErrors } from './custody.errors.ts'
import { bookErrors, bookPathErrors, configErrors, existsErrors, idErrors } from './trading.errors.ts'
import { Body, BookPath, bookIdCode, Data, onEveryClass, optional, trading } from './trading.operation.ts'
import {
  auctionSettings,
  bookRules,
  bookStatuses,
  CandlePage,
  candlesCsv,
  candlesQuery,
  circuitBreaker,
  feedSettings,
  OrderBook,
  referenceSettings,
  SharedPeers,
  Snapshot,
  statusQuery,
  TradePage,
  tokenTypes,
  tradesCsv,
  tradesQuery,
  Units,
} from './trading.schemas.ts'

const own = { ...trading, params: BookPath, fieldCodes: bookIdCode } as const

export const listOrderBooks = defineOperation({
  ...trading,
  id: 'listOrderBooks',
  method: 'GET',
  ...onEveryClass('/order-books'),
  scope: 'trading:read',
  summary: 'List order books',
  description: 'Own books of the class, newest first, then imported ones.',
  query: statusQuery,
  fieldCodes: { status: 'INVALID_PARAM' },
  legs: { read: { data: Type.Array(OrderBook), errors: idErrors } },
})

export const getOrderBook = defineOperation({
  ...own,
  id: 'getOrderBook',
  method: 'GET',
  ...onEveryClass('/order-books/{orderBookId}'),
  scope: 'trading:read',
  summary: 'Get an order book',
  description: 'Own or imported, of the class.',
  legs: { read: { data: OrderBook, errors: bookPathErrors } },
})

export const updateOrderBook = defineOperation({
  ...own,
  id: 'updateOrderBook',
  method: 'PATCH',
  ...onEveryClass('/order-books/{orderBookId}'),
  scope: 'trading:write',
  summary: 'Change an order book',
  description:
    'Owner only; what is not sent stays. Closing cancels what rests; a closed book can be opened again unless another one took its pair. `settlementOperator` (external securities) has to be known to the settlement contract: else 409 `CUSTODY_SETUP_REQUIRED`, as when a book is created. `allowSharedLiquidity` on a commodity reads its published class again.',
  body: Body({
    status: optional(OneOf(bookStatuses)),
    ...bookRules,
    allowImport: optional(Type.Boolean()),
    allowSharedLiquidity: optional(Type.Boolean()),
    ...referenceSettings,
    ...feedSettings,
    ...circuitBreaker,
    ...auctionSettings,
    settlementMode: optional(
      OneOf(['OFF_CHAIN', 'ON_CHAIN'] as const, {
        description: 'Stocks only, and alone: an on-chain book with nothing in flight goes off chain, never back.',
      }),
    ),
    settlementOperator: optional(Address),
    custodySetupTxs: optional(Body({ operator: optional(Hash) })),
  }),
  fieldCodes: { ...bookIdCode, settlementOperator: 'INVALID_CONFIG' },
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: {
    write: {
      data: OrderBook,
      errors: {
        ...validationErrors,
        ...bookPathErrors,
        ...configErrors,
        ...existsErrors,
        ...setupErrors,
        ...attestationErrors,
        ONCHAIN_SETTLEMENT_UNAVAILABLE: {
          status: 409,
          message: 'A book that settles off chain stays there. Close it and create an on-chain one.',
        },
      },
    },
  },
})

export const getOrderBookSnapshot = defineOperation({
  ...own,
  id: 'getOrderBookSnapshot',
  method: 'GET',
  ...onEveryClass('/order-books/{orderBookId}/snapshot'),
  scope: 'trading:read',
  summary: 'Depth, last price and 24 hours',
  description: '`levels` per side: 20, at most 100. A book that pools shows the depth of the whole pool.',
  query: Type.Object({ levels: optional(Type.String()) }),
  legs: { read: { data: Snapshot, errors: bookPathErrors } },
})

export const listOrderBookTrades = defineOperation({
  ...own,
  id: 'listOrderBookTrades',
  method: 'GET',
  ...onEveryClass('/order-books/{orderBookId}/trades'),
  scope: 'trading:read',
  summary: 'Order book trades',
  description:
    'Newest first: `limit` 50 (at most 100), `offset`, or `cursor` to go on. A book that pools shows the tape of the whole pool. Failed settlements are included.',
  query: tradesQuery,
  csv: tradesCsv,
  legs: { read: { data: TradePage, errors: bookPathErrors } },
})

export const listCandles = defineOperation({
  ...own,
  id: 'listCandles',
  method: 'GET',
  ...onEveryClass('/order-books/{orderBookId}/candles'),
  scope: 'trading:read',
  summary: 'Candles of an order book',
  description:
    'Newest first: `resolution` `1m`, `5m`, `15m`, `1h` (default), `4h` or `1d` in UTC, those that start at or after `from` and before `to`, `limit` 300 (at most 1000), `cursor` to go on. What was never traded has no candle; failed settlements do not count, also when they fail later. A book that pools shows the candles of the whole pool.',
  query: candlesQuery,
  fieldCodes: { ...bookIdCode, resolution: 'INVALID_PARAM' },
  csv: candlesCsv,
  legs: { read: { data: CandlePage, errors: bookPathErrors } },
})

const Window = Data({ volume: Units, trades: Type.Integer() })

export const getOrderBookStats = defineOperation({
  ...own,
  id: 'getOrderBookStats',
  method: 'GET',
  ...onEveryClass('/order-books/{orderBookId}/stats'),
  scope: 'trading:read',
  summary: 'Volume over rolling windows',
  description: 'Base volume and number of trades; failed settlements do not count; pooled books count together.',
  legs: {
    read: { data: Data({ '1h': Window, '24h': Window, '7d': Window, '30d': Window }), errors: bookPathErrors },
  },
})

const dailyFigure = Type.Number({ description: 'In whole units.' })
const DayPrice = Nullable(Type.Number())

export const getDailyStats = defineOperation({
  ...trading,
  id: 'getDailyStats',
  method: 'GET',
  ...onEveryClass('/order-books/by-token/{tokenAddress}/daily-stats'),
  scope: 'trading:read',
  summary: 'Daily statistics by token',
  description:
    'One entry per UTC day, today included: `1W` 7, `1M` 30 (default), `3M` 90, `6M` 180, `1Y` 365 days. Every book of the class on the token that is not closed counts, with its pooled peers; failed trades do not. Books with another quote token than the oldest one are listed but not added. When more rows lie behind the range than the ceiling, the oldest whole days are left out and `truncated` is true.',
  params: Type.Object({ tokenAddress: Address }),
  query: Type.Object({ range: optional(OneOf(['1W', '1M', '3M', '6M', '1Y'] as const)) }),
  fieldCodes: { range: 'INVALID_PARAM', tokenAddress: 'VALIDATION_ERROR' },
  legs: {
    read: {
      data: Data({
        hasOrderbook: Type.Boolean(),
        orderbooks: Type.Array(
          Data({
            id: Type.String(),
            name: Type.String(),
            symbol: Type.String(),
            settlementMode: OneOf(['ON_CHAIN', 'OFF_CHAIN'] as const),
            status: OneOf(bookStatuses),
            tokenType: OneOf(tokenTypes),
            quoteTokenAddress: LowercaseAddress,
          }),
        ),
        stats: Type.Array(
          Data({
            date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
            orderCount: Type.Integer(),
            tradeCount: Type.Integer(),
            volumeBase: dailyFigure,
            volumeQuote: dailyFigure,
            priceHigh: DayPrice,
            priceLow: DayPrice,
            priceOpen: DayPrice,
            priceClose: DayPrice,
          }),
        ),
        range: OneOf(['1W', '1M', '3M', '6M', '1Y'] as const),
        truncated: Type.Boolean(),
        totals: Data({
          orderCount: Type.Integer(),
          tradeCount: Type.Integer(),
          volumeBase: dailyFigure,
          volumeQuote: dailyFigure,
        }),
      }),
      errors: { ...idErrors, ...validationErrors },
    },
  },
})

export const listSharedPeers = defineOperation({
  ...own,
  id: 'listSharedPeers',
  method: 'GET',
  ...onEveryClass('/order-books/{orderBookId}/shared-peers'),
  scope: 'trading:read',
  summary: 'Books that pool depth with this one',
  description: '`enabled` false: the book has not opted in. `enabled` true and no peers: nobody matches.',
  legs: {
    read: {
      data: SharedPeers,
      errors: bookPathErrors,
    },
  },
})

export const listImportableBooks = defineOperation({
  ...trading,
  id: 'listImportableBooks',
  method: 'GET',
  ...onEveryClass('/order-books/importable'),
  scope: 'trading:read',
  summary: 'Books of others that can be imported',
  description: 'Active on-chain books of the class whose owners allow it, newest first, at most 100.',
  legs: {
    read: {
      data: Type.Array(
        Data({
          id: Type.String(),
          tokenAddress: LowercaseAddress,
          quoteTokenAddress: LowercaseAddress,
          name: Type.String(),
          symbol: Type.String(),
          tokenType: OneOf(tokenTypes),
          custodyContract: Nullable(LowercaseAddress),
          minOrderSize: Units,
          maxOrderSize: Nullable(Units),
          tickSize: Units,
          makerFeeBps: Type.Integer(),
          takerFeeBps: Type.Integer(),
          createdAt: Instant,
        }),
      ),
      errors: {},
    },
  },
})

const BookImport = Data({
  id: Type.String(),
  instanceId: Type.String(),
  orderBookId: Type.String(),
  active: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
})

export const importBook = defineOperation({
  ...trading,
  id: 'importBook',
  method: 'POST',
  ...onEveryClass('/imports'),
  scope: 'trading:write',
  summary: 'Import a book',
  description:
    'To read it and trade on it. Its owner keeps settings, price and settlement. Importing again revives the import.',
  body: Body({ orderBookId: Id }),
  legs: {
    write: {
      data: BookImport,
      errors: {
        ...validationErrors,
        ...bookErrors,
        IMPORT_OWN: { status: 400, message: 'This book is your own.' },
        IMPORT_TYPE_MISMATCH: { status: 400, message: 'This book is of another class.' },
        NETWORK_MISMATCH: { status: 400, message: 'This book is on another chain than your instance.' },
        ALREADY_IMPORTED: { status: 409, message: 'Your instance imported this book already.' },
      },
    },
  },
})

export const removeBookImport = defineOperation({
  ...trading,
  id: 'removeBookImport',
  method: 'DELETE',
  ...onEveryClass('/imports/{importId}'),
  scope: 'trading:write',
  summary: 'Remove an import',
  description: 'Resting orders stay until they are cancelled.',
  params: Type.Object({ importId: Id }),
  fieldCodes: { importId: 'INVALID_PARAM' },
  legs: {
    write: {
      data: BookImport,
      errors: {
        ...validationErrors,
        ...idErrors,
        IMPORT_NOT_FOUND: { status: 404, message: 'Your instance has no such active import.' },
      },
    },
  },
})
