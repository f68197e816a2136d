import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { historyErrors, streamErrors } from '../streams/stream.errors.ts'
import { streamQuery } from '../streams/stream.schemas.ts'
import { BookMessage, FillMessage, fillsQuery } from './streams.schemas.ts'
import { bookPathErrors } from './trading.errors.ts'
import { BookPath, bookIdCode, OFFCHAIN, offchain, onEveryClass, trading } from './trading.operation.ts'

const errors = { ...bookPathErrors, ...streamErrors } as const

const book = {
  method: 'GET',
  scope: 'trading:read',
  summary: 'Follow an order book',
  description:
    'Server-sent events, or a WebSocket on the same path: a `snapshot` of the whole depth, then one `update` for every commit that changed something, without gaps. A book that pools shows the pool; when it joins or leaves one, a new `snapshot` follows.',
  params: BookPath,
  query: Type.Object(streamQuery),
  fieldCodes: bookIdCode,
  stream: true,
  legs: { read: { data: BookMessage, errors } },
} as const

const fills = {
  method: 'GET',
  scope: 'trading:read',
  summary: 'Follow own fills',
  description:
    "Your instance's trades of the matching unit of this book, and what becomes of them, in the order of the journal. Goes on after the id in `Last-Event-ID` or `after`, without loss or doubling; `after=0` is the beginning, none is now.",
  params: BookPath,
  query: fillsQuery,
  fieldCodes: { ...bookIdCode, after: 'INVALID_PARAM' },
  stream: true,
  legs: { read: { data: FillMessage, errors: { ...errors, ...historyErrors } } },
} as const

export const streamOrderBook = defineOperation({
  ...trading,
  ...book,
  id: 'streamOrderBook',
  ...onEveryClass('/order-books/{orderBookId}/stream'),
})

export const streamOffchainBook = defineOperation({
  ...offchain,
  ...book,
  id: 'streamOffchainBook',
  path: `${OFFCHAIN}/order-books/{orderBookId}/stream`,
})

export const streamFills = defineOperation({
  ...trading,
  ...fills,
  id: 'streamFills',
  ...onEveryClass('/order-books/{orderBookId}/fills/stream'),
})

export const streamOffchainFills = defineOperation({
  ...offchain,
  ...fills,
  id: 'streamOffchainFills',
  path: `${OFFCHAIN}/order-books/{orderBookId}/fills/stream`,
})
