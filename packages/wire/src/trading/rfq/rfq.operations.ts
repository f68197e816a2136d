import { Type } from 'typebox'
import { defineOperation } from '../../define-operation.ts'
import { Address, Id, Instant, OneOf } from '../../primitives.ts'
import { termCodes } from '../signed-orders.errors.ts'
import { PreparedOrder } from '../signed-orders.schemas.ts'
import { Body, Data, onStocks, optional, trading } from '../trading.operation.ts'
import { pageQuery, Side, UnitsIn } from '../trading.schemas.ts'
import {
  acceptErrors,
  cancelErrors,
  lookupErrors,
  openErrors,
  prepareErrors,
  quoteErrors,
  statusErrors,
  withdrawErrors,
} from './rfq.errors.ts'
import {
  Acceptance,
  Quote,
  Rfq,
  RfqPage,
  RfqWithoutQuotes,
  rfqStatuses,
  signedQuoteTerms,
  termsToPropose,
} from './rfq.schemas.ts'

export * from './rfq-stream.operations.ts'

const RfqPath = Type.Object({ id: Id })
const own = { ...trading, params: RfqPath } as const
const idCode = { id: 'INVALID_PARAM' } as const

export const openRfq = defineOperation({
  ...trading,
  id: 'openRfq',
  method: 'POST',
  ...onStocks('/rfq'),
  scope: 'trading:write',
  summary: 'Ask for quotes',
  description:
    'For an amount of a pair that the instance has an active on-chain book on, own or imported: its reference price checks the quotes, and its owner settles. Lives 30 seconds unless `expiryMs` says otherwise, held within 5 and 60 seconds.',
  body: Body({
    requesterAddress: Address,
    baseToken: Address,
    quoteToken: Address,
    custodyContract: Address,
    side: Side,
    baseAmount: UnitsIn,
    expiryMs: optional(Type.Integer({ description: 'Milliseconds.' })),
  }),
  legs: { write: { data: RfqWithoutQuotes, errors: openErrors } },
})

export const listRfqs = defineOperation({
  ...trading,
  id: 'listRfqs',
  method: 'GET',
  ...onStocks('/rfq'),
  scope: 'trading:read',
  summary: 'List requests for quote',
  description:
    "Of the instance, newest first, with their quotes: `limit` 50 (at most 100), `offset`; `status` narrows it. What a provider's application asks for what it may answer.",
  query: Type.Object({ status: optional(OneOf(rfqStatuses)), ...pageQuery.properties }),
  fieldCodes: { status: 'INVALID_PARAM' },
  legs: { read: { data: RfqPage, errors: statusErrors } },
})

export const getRfq = defineOperation({
  ...own,
  id: 'getRfq',
  method: 'GET',
  ...onStocks('/rfq/{id}'),
  scope: 'trading:read',
  summary: 'Get a request for quote',
  description: 'With all its quotes in any state. A deadline that has passed shows at once.',
  fieldCodes: idCode,
  legs: { read: { data: Rfq, errors: lookupErrors } },
})

export const listRfqQuotes = defineOperation({
  ...own,
  id: 'listRfqQuotes',
  method: 'GET',
  ...onStocks('/rfq/{id}/quotes'),
  scope: 'trading:read',
  summary: 'Quotes of a request',
  description: 'For polling: the request and its quotes, in the order they came.',
  fieldCodes: idCode,
  legs: { read: { data: Data({ rfq: Rfq, quotes: Type.Array(Quote) }), errors: lookupErrors } },
})

export const prepareRfq = defineOperation({
  ...own,
  id: 'prepareRfq',
  method: 'POST',
  ...onStocks('/rfq/{id}/prepare'),
  scope: 'trading:write',
  summary: 'What a quote or its acceptance has to sign',
  description:
    'Writes nothing. With `price`, for a provider who is about to quote it; with `quoteId`, for the requester who is about to accept it. An EIP-712 order for the whole amount without a fee. `expiry` is an hour after the end of the request, `nonce` the floor of the wallet and `salt` random, unless they are sent.',
  body: Body({ userAddress: Address, price: optional(UnitsIn), quoteId: optional(Id), ...termsToPropose }),
  fieldCodes: { ...idCode, quoteId: 'INVALID_PARAM', ...termCodes },
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: { write: { data: PreparedOrder, errors: prepareErrors } },
})

export const submitQuote = defineOperation({
  ...own,
  id: 'submitQuote',
  method: 'POST',
  ...onStocks('/rfq/{id}/quotes'),
  scope: 'trading:write',
  summary: 'Quote a price',
  description:
    "By a trading account with `canQuote`, signed as `prepareRfq` says. Reserves the provider's side of the trade until the quote ends. A new quote takes the place of the provider's older one. `validUntil` never goes beyond the end of the request.",
  body: Body({ lpAddress: Address, price: UnitsIn, validUntil: optional(Instant), ...signedQuoteTerms }),
  fieldCodes: { ...idCode, ...termCodes },
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: { write: { data: Quote, errors: quoteErrors } },
})

const quotePath = { ...own, params: Type.Object({ id: Id, quoteId: Id }) } as const

export const withdrawQuote = defineOperation({
  ...quotePath,
  id: 'withdrawQuote',
  method: 'POST',
  ...onStocks('/rfq/{id}/quotes/{quoteId}/withdraw'),
  scope: 'trading:write',
  summary: 'Withdraw a quote',
  description:
    'Frees what it reserved. The signature stays valid on chain until it expires; without an acceptance nobody can settle it.',
  body: Body({ lpAddress: Address }),
  fieldCodes: { ...idCode, quoteId: 'INVALID_PARAM' },
  legs: { write: { data: Quote, errors: withdrawErrors } },
})

export const acceptQuote = defineOperation({
  ...own,
  id: 'acceptQuote',
  method: 'POST',
  ...onStocks('/rfq/{id}/accept'),
  scope: 'trading:write',
  summary: 'Accept a quote',
  description:
    'Signed by the requester as `prepareRfq` says. In one commit the quote is accepted, the others are withdrawn, and the trade waits as a settlement for the owner of the book. Exactly one quote of a request is ever accepted. Needs an `Idempotency-Key`.',
  body: Body({ requesterAddress: Address, quoteId: Id, ...signedQuoteTerms }),
  fieldCodes: { ...idCode, quoteId: 'INVALID_PARAM', ...termCodes },
  needsKey: true,
  unreadable: 'CHAIN_UNAVAILABLE',
  legs: { write: { data: Acceptance, errors: acceptErrors } },
})

export const cancelRfq = defineOperation({
  ...own,
  id: 'cancelRfq',
  method: 'POST',
  ...onStocks('/rfq/{id}/cancel'),
  scope: 'trading:write',
  summary: 'Cancel a request for quote',
  description: 'Withdraws its quotes and frees what they reserved. One that has ended is answered as it is.',
  body: Body({ requesterAddress: Address }),
  fieldCodes: idCode,
  legs: { write: { data: Rfq, errors: cancelErrors } },
})
