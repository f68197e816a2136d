import { Type } from 'typebox'
import { defineOperation } from '../define-operation.ts'
import { Id, Nullable } from '../primitives.ts'
import { bookPathErrors } from './trading.errors.ts'
import { BookPath, bookIdCode, onStocks, trading } from './trading.operation.ts'
import { Auction } from './trading.schemas.ts'

export const getCurrentBookAuction = defineOperation({
  ...trading,
  id: 'getCurrentBookAuction',
  method: 'GET',
  ...onStocks('/order-books/{orderBookId}/auctions/current'),
  scope: 'trading:read',
  summary: 'The auction that collects orders now',
  description:
    '`data` is null while the book trades continuously. `indicative` is what it would clear at if it ended now, by the prices of the orders it has collected; null: nothing crosses.',
  params: BookPath,
  fieldCodes: bookIdCode,
  legs: { read: { data: Nullable(Auction), errors: bookPathErrors } },
})

export const getBookAuction = defineOperation({
  ...trading,
  id: 'getBookAuction',
  method: 'GET',
  ...onStocks('/order-books/{orderBookId}/auctions/{auctionId}'),
  scope: 'trading:read',
  summary: 'Get an auction of a book',
  description: '`data` is null when the book had no such auction.',
  params: Type.Object({ orderBookId: Id, auctionId: Id }),
  fieldCodes: { ...bookIdCode, auctionId: 'INVALID_PARAM' },
  legs: { read: { data: Nullable(Auction), errors: bookPathErrors } },
})
