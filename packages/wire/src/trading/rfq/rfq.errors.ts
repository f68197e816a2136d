import { Type } from 'typebox'
import { transactionErrors, validationErrors } from '../../common.errors.ts'
import type { ErrorTable } from '../../operation.ts'
import { signedErrors, termErrors } from '../signed-orders.errors.ts'
import { bookErrors, orderErrors } from '../trading.errors.ts'

const idErrors = {
  INVALID_PARAM: { status: 400, message: 'An id or parameter is missing, too long or not one of the values allowed.' },
} as const satisfies ErrorTable

const chainError = { CHAIN_UNAVAILABLE: transactionErrors.CHAIN_UNAVAILABLE } as const satisfies ErrorTable

export const statusErrors = idErrors

export const lookupErrors = {
  ...idErrors,
  NOT_FOUND: { status: 404, message: 'Your instance opened no such request for quote, or it has no such quote.' },
} as const satisfies ErrorTable

const endedErrors = {
  RFQ_EXPIRED: { status: 410, message: 'The request for quote has ended: accepted, cancelled or past its time.' },
} as const satisfies ErrorTable

const quoteEndedErrors = {
  QUOTE_EXPIRED: { status: 410, message: 'The quote has ended: withdrawn, past its time, or not backed any more.' },
} as const satisfies ErrorTable

const requesterErrors = {
  FORBIDDEN: { status: 403, message: 'Only the wallet that asked for quotes may do this.' },
} as const satisfies ErrorTable

const providerErrors = {
  FORBIDDEN: { status: 403, message: 'Nobody quotes on an own request, or withdraws the quote of somebody else.' },
} as const satisfies ErrorTable

const figure = (description: string) => Type.String({ description })

const { INVALID_PRICE, PRICE_REF_STALE, PRICE_REF_UNAVAILABLE, MM_CONFIG_VIOLATION } = orderErrors

/** The price beside the reference of the book, as it is now. */
const priceErrors = {
  QUOTE_PRICE_OUT_OF_BOUNDS: {
    status: 400,
    message: 'The price is outside the band around the reference price of the book.',
    extra: Type.Object({
      referencePrice: figure('Decimal, in quote.'),
      lowerBound: figure('Decimal, in quote.'),
      upperBound: figure('Decimal, in quote.'),
      spreadBps: Type.Integer(),
    }),
  },
  PRICE_REF_STALE,
  PRICE_REF_UNAVAILABLE,
} as const satisfies ErrorTable

const { DELIVERY_NOT_ALLOWED, DUPLICATE_ORDER, INSUFFICIENT_CUSTODY_BALANCE, INVALID_SIGNATURE, ORDER_NOT_LIVE } =
  signedErrors

/** What stands against a signed quote, and against its signed acceptance. */
const signedQuoteErrors = {
  ...termErrors,
  INVALID_SIGNATURE,
  ORDER_NOT_LIVE,
  DUPLICATE_ORDER,
  DELIVERY_NOT_ALLOWED,
  INSUFFICIENT_CUSTODY_BALANCE,
  ONCHAIN_SETTLEMENT_UNAVAILABLE: {
    status: 409,
    message: 'The custody contract does not take one of the tokens right now, so nothing could be settled.',
  },
  ...chainError,
} as const satisfies ErrorTable

export const openErrors = { ...validationErrors, ...bookErrors } as const satisfies ErrorTable

export const prepareErrors = {
  ...validationErrors,
  ...lookupErrors,
  ...bookErrors,
  ...endedErrors,
  ...quoteEndedErrors,
  ...termErrors,
  INVALID_PRICE,
  ...chainError,
} as const satisfies ErrorTable

export const quoteErrors = {
  ...validationErrors,
  ...lookupErrors,
  ...bookErrors,
  ...endedErrors,
  ...providerErrors,
  ...priceErrors,
  ...signedQuoteErrors,
  INVALID_PRICE,
  MM_CONFIG_VIOLATION,
  MM_REQUIRED: { status: 403, message: 'This wallet has no trading account that may answer requests for quote.' },
} as const satisfies ErrorTable

export const withdrawErrors = {
  ...validationErrors,
  ...lookupErrors,
  ...providerErrors,
  ...quoteEndedErrors,
} as const satisfies ErrorTable

export const acceptErrors = {
  ...validationErrors,
  ...lookupErrors,
  ...bookErrors,
  ...endedErrors,
  ...quoteEndedErrors,
  ...requesterErrors,
  ...priceErrors,
  ...signedQuoteErrors,
  MM_CONFIG_VIOLATION,
  IDEMPOTENCY_KEY_REQUIRED: { status: 400, message: 'Send an Idempotency-Key: accepting twice must be harmless.' },
} as const satisfies ErrorTable

export const cancelErrors = { ...validationErrors, ...lookupErrors, ...requesterErrors } as const satisfies ErrorTable
