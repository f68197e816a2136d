import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Instant } from '../primitives.ts'
import { bookPathErrors, referenceErrors } from './trading.errors.ts'
import { Body, BookPath, bookIdCode, Data, onEveryClass, trading } from './trading.operation.ts'
import { newReferencePrice, PriceReference, pageQuery, ReferenceSet } from './trading.schemas.ts'

const own = { ...trading, params: BookPath, fieldCodes: bookIdCode } as const
const PATH = '/order-books/{orderBookId}/price-reference'

export const getPriceReference = defineOperation({
  ...own,
  id: 'getPriceReference',
  method: 'GET',
  ...onEveryClass(PATH),
  scope: 'trading:read',
  summary: 'Get the reference price of a book',
  description: 'The last price that was set or fetched, with the band around it; null until there is one.',
  legs: { read: { data: PriceReference, errors: bookPathErrors } },
})

export const setPriceReference = defineOperation({
  ...own,
  id: 'setPriceReference',
  method: 'POST',
  ...onEveryClass(PATH),
  scope: 'trading:write',
  summary: 'Set the reference price of a book',
  description:
    'Owner only, in mode MANUAL. A move above `priceRefCircuitBreakerBps` pauses the book; otherwise resting orders outside the new band are cancelled (`PRICE_BAND_VIOLATION`). The first price does neither.',
  body: Body(newReferencePrice),
  legs: {
    write: {
      data: ReferenceSet,
      errors: { ...validationErrors, ...bookPathErrors, ...referenceErrors },
    },
  },
})

export const listPriceReferenceHistory = defineOperation({
  ...own,
  id: 'listPriceReferenceHistory',
  method: 'GET',
  ...onEveryClass(`${PATH}/history`),
  scope: 'trading:read',
  summary: 'Reference prices of a book over time',
  description:
    'Newest first: `limit` 50 (at most 100), `offset`. Only what your own instance set or fetched. A feed is listed when its price changed (`EXTERNAL_FEED`, `STOCK_FEED:<symbol>`) and when it failed and the last price went on (`…_CACHED`); `CIRCUIT_BREAKER_TRIGGERED` when a move paused the book.',
  query: pageQuery,
  legs: {
    read: {
      data: Data({
        logs: Type.Array(
          Data({
            id: Type.String(),
            orderBookId: Type.String(),
            instanceId: Type.String(),
            price: Type.String(),
            source: Type.String(),
            enforcementUsed: Type.String(),
            createdAt: Instant,
          }),
        ),
        total: Type.Integer(),
        limit: Type.Integer(),
        offset: Type.Integer(),
      }),
      errors: bookPathErrors,
    },
  },
})
