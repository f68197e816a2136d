import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Id, OneOf } from '../primitives.ts'
import { bookPathErrors, configErrors, existsErrors, idErrors, modeErrors, referenceErrors } from './trading.errors.ts'
import { Body, BookPath, bookIdCode, OFFCHAIN, offchain, optional } from './trading.operation.ts'
import {
  bookRules,
  bookStatuses,
  CandlePage,
  candlesCsv,
  candlesQuery,
  newBook,
  newReferencePrice,
  OrderBook,
  offchainFeedSettings,
  PriceReference,
  ReferenceSet,
  referenceSettings,
  Snapshot,
  statusQuery,
  TradePage,
  tradesCsv,
  tradesQuery,
} from './trading.schemas.ts'

const own = { ...offchain, params: BookPath, fieldCodes: bookIdCode } as const
const BOOK = `${OFFCHAIN}/order-books/{orderBookId}`

export const createOffchainBook = defineOperation({
  ...offchain,
  id: 'createOffchainBook',
  method: 'POST',
  path: `${OFFCHAIN}/order-books`,
  scope: 'trading:write',
  summary: 'Create an off-chain book',
  description: 'Its trades settle in the ledger of the instance, in the very commit that makes them.',
  body: Body({
    ...newBook,
    tokenType: optional(OneOf(['STOCK_TOKEN', 'LIGHT_TOKEN'] as const, { description: 'LIGHT_TOKEN unless given.' })),
    stockTokenId: optional(Id),
    ...bookRules,
    ...referenceSettings,
    ...offchainFeedSettings,
  }),
  legs: {
    write: {
      data: OrderBook,
      errors: {
        ...validationErrors,
        ...configErrors,
        ...existsErrors,
        INVALID_PAIR: { status: 400, message: 'A token cannot be traded against itself.' },
      },
    },
  },
})

export const listOffchainBooks = defineOperation({
  ...offchain,
  id: 'listOffchainBooks',
  method: 'GET',
  path: `${OFFCHAIN}/order-books`,
  scope: 'trading:read',
  summary: 'List off-chain books',
  description: 'Own off-chain books of every token type, newest first. Imported books never appear.',
  query: statusQuery,
  fieldCodes: { status: 'INVALID_PARAM' },
  legs: { read: { data: Type.Array(OrderBook), errors: idErrors } },
})

export const getOffchainBook = defineOperation({
  ...own,
  id: 'getOffchainBook',
  method: 'GET',
  path: BOOK,
  scope: 'trading:read',
  summary: 'Get an off-chain book',
  legs: { read: { data: OrderBook, errors: { ...bookPathErrors, ...modeErrors } } },
})

export const updateOffchainBook = defineOperation({
  ...own,
  id: 'updateOffchainBook',
  method: 'PATCH',
  path: BOOK,
  scope: 'trading:write',
  summary: 'Change an off-chain book',
  description: 'What is not sent stays. Closing cancels what rests and gives back what was reserved.',
  body: Body({ status: optional(OneOf(bookStatuses)), ...bookRules, ...referenceSettings, ...offchainFeedSettings }),
  legs: {
    write: {
      data: OrderBook,
      errors: { ...validationErrors, ...bookPathErrors, ...modeErrors, ...configErrors, ...existsErrors },
    },
  },
})

export const getOffchainSnapshot = defineOperation({
  ...own,
  id: 'getOffchainSnapshot',
  method: 'GET',
  path: `${BOOK}/snapshot`,
  scope: 'trading:read',
  summary: 'Depth, last price and 24 hours of an off-chain book',
  description: '`levels` per side: 20, at most 100.',
  query: Type.Object({ levels: optional(Type.String()) }),
  legs: { read: { data: Snapshot, errors: bookPathErrors } },
})

export const listOffchainTrades = defineOperation({
  ...own,
  id: 'listOffchainTrades',
  method: 'GET',
  path: `${BOOK}/trades`,
  scope: 'trading:read',
  summary: 'Trades of an off-chain book',
  description: 'Newest first: `limit` 50 (at most 100), `offset`, or `cursor` to go on.',
  query: tradesQuery,
  csv: tradesCsv,
  legs: { read: { data: TradePage, errors: bookPathErrors } },
})

export const listOffchainCandles = defineOperation({
  ...own,
  id: 'listOffchainCandles',
  method: 'GET',
  path: `${BOOK}/candles`,
  scope: 'trading:read',
  summary: 'Candles of an off-chain book',
  description: 'As on the other books: `resolution`, `from`, `to`, `limit`, `cursor`.',
  query: candlesQuery,
  fieldCodes: { ...bookIdCode, resolution: 'INVALID_PARAM' },
  csv: candlesCsv,
  legs: { read: { data: CandlePage, errors: bookPathErrors } },
})

export const getOffchainPriceReference = defineOperation({
  ...own,
  id: 'getOffchainPriceReference',
  method: 'GET',
  path: `${BOOK}/price-reference`,
  scope: 'trading:read',
  summary: 'Get the reference price',
  legs: { read: { data: PriceReference, errors: { ...bookPathErrors, ...modeErrors } } },
})

export const setOffchainPriceReference = defineOperation({
  ...own,
  id: 'setOffchainPriceReference',
  method: 'POST',
  path: `${BOOK}/price-reference`,
  scope: 'trading:write',
  summary: 'Set the reference price',
  description:
    'Resting orders outside the new band are cancelled (`PRICE_BAND_VIOLATION`), unless it is the first price.',
  body: Body(newReferencePrice),
  legs: {
    write: {
      data: ReferenceSet,
      errors: { ...validationErrors, ...bookPathErrors, ...modeErrors, ...referenceErrors },
    },
  },
})
