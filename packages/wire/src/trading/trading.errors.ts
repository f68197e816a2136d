import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'

export const idErrors = {
  INVALID_PARAM: { status: 400, message: 'An id or parameter is missing, too long or not one of the values allowed.' },
} as const satisfies ErrorTable

export const bookErrors = {
  ORDER_BOOK_NOT_FOUND: { status: 404, message: 'Your instance has no such order book here, own or imported.' },
} as const satisfies ErrorTable

export const bookPathErrors = { ...idErrors, ...bookErrors } as const satisfies ErrorTable

export const modeErrors = {
  WRONG_SETTLEMENT_MODE: { status: 400, message: 'This book settles on chain; these routes serve off-chain books.' },
} as const satisfies ErrorTable

export const configErrors = {
  INVALID_CONFIG: { status: 400, message: 'These settings do not go together.' },
} as const satisfies ErrorTable

export const existsErrors = {
  ORDER_BOOK_EXISTS: {
    status: 409,
    message: 'Your instance has an open book on this pair already. Close it first.',
  },
} as const satisfies ErrorTable

export const referenceErrors = {
  INVALID_PRICE: { status: 400, message: 'price must be a positive decimal with at most 6 decimals.' },
  PRICE_REF_DISABLED: { status: 400, message: 'This book has no price reference, or one that is not set by hand.' },
} as const satisfies ErrorTable

const figure = (description: string) => Type.String({ description })

/** Why an order is not taken, the same on every route that takes one. */
export const orderErrors = {
  ORDER_TOO_SMALL: {
    status: 400,
    message: 'The quantity is below the smallest order, or its value rounds to nothing.',
  },
  ORDER_TOO_LARGE: { status: 400, message: 'The quantity is above the largest order of this book.' },
  INVALID_QUANTITY: {
    status: 400,
    message: 'quantity must be above zero, at most 2^63-1, and a multiple of the lot of the book.',
    extra: Type.Object({ step: Type.Optional(figure('Multiples of this are taken.')) }),
  },
  INVALID_PRICE: {
    status: 400,
    message: 'price must be above zero, at most 2^63-1, and a multiple of the tick of the book.',
    extra: Type.Object({ step: Type.Optional(figure('Multiples of this are taken.')) }),
  },
  PRICE_OUTSIDE_BAND: {
    status: 400,
    message: 'The price is outside the band around the reference price.',
    extra: Type.Object({
      referencePrice: figure('Decimal, in quote.'),
      lowerBound: figure('Decimal, in quote.'),
      upperBound: figure('Decimal, in quote.'),
      spreadBps: Type.Integer(),
    }),
  },
  INSUFFICIENT_BALANCE: {
    status: 400,
    message: 'The ledger holds less for this customer than the order has to reserve.',
    extra: Type.Object({
      required: figure('Decimal.'),
      available: figure('Decimal.'),
      tokenAddress: Type.String(),
    }),
  },
  TOKEN_NOT_REGISTERED: {
    status: 400,
    message: 'Register both tokens of the book in the ledger first.',
    extra: Type.Object({ tokenAddress: Type.Optional(Type.String()) }),
  },
  MM_CONFIG_VIOLATION: { status: 403, message: 'This trading account is suspended or not permitted on this book.' },
  POST_ONLY_WOULD_CROSS: { status: 409, message: 'The order would take instead of rest. Nothing was done.' },
  PRICE_REF_STALE: {
    status: 503,
    retry: true,
    message: 'The reference price is too old; the book waits for a new one.',
  },
  PRICE_REF_UNAVAILABLE: { status: 503, retry: true, message: 'The book waits for its first reference price.' },
} as const satisfies ErrorTable

export const newOrderErrors = {
  ...orderErrors,
  ...modeErrors,
  PRICE_REQUIRED: { status: 400, message: 'A LIMIT order needs a price, a MARKET order takes none.' },
  NO_LIQUIDITY: { status: 400, message: 'Nothing rests on the other side.' },
  DUPLICATE_CLIENT_ORDER_ID: {
    status: 409,
    message: 'This account has used this clientOrderId before; it names that order for ever.',
    extra: Type.Object({ orderId: Type.String() }),
  },
} as const satisfies ErrorTable

export const orderLookupErrors = {
  ...idErrors,
  ORDER_NOT_FOUND: { status: 404, message: 'No such order of this customer, or it rests no more.' },
} as const satisfies ErrorTable

export const accountErrors = {
  ...idErrors,
  ACCOUNT_NOT_FOUND: { status: 404, message: 'Your instance has no such trading account.' },
} as const satisfies ErrorTable

export const ledgerErrors = {
  TOKEN_NOT_REGISTERED: {
    status: 400,
    message: 'This token is not registered in the ledger.',
    extra: Type.Object({ tokenAddress: Type.Optional(Type.String()) }),
  },
} as const satisfies ErrorTable
