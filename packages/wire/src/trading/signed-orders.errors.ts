import { Type } from 'typebox'
import { transactionErrors, validationErrors } from '../common.errors.ts'
import type { ErrorTable } from '../operation.ts'
import { bookErrors, newOrderErrors, orderErrors } from './trading.errors.ts'

const chainError = { CHAIN_UNAVAILABLE: transactionErrors.CHAIN_UNAVAILABLE } as const satisfies ErrorTable

const bookStateErrors = {
  ORDER_BOOK_INACTIVE: { status: 400, message: 'The book is paused or closed: it takes no new orders.' },
  WRONG_SETTLEMENT_MODE: {
    status: 400,
    message: 'This book settles off chain; its orders go to the routes under /offchain.',
  },
} as const satisfies ErrorTable

/** What is wrong with the fields that a trader signs, whoever looks at them. */
export const termErrors = {
  INVALID_ORDER_EXPIRY: { status: 400, message: 'expiry must be 60 seconds to 90 days ahead, in unix seconds.' },
  INVALID_ORDER_NONCE: { status: 400, message: 'nonce must be a whole number below 2^64.' },
  INVALID_ORDER_SALT: {
    status: 400,
    message: 'salt must be 0x and 64 hex digits, and begin as the custody contract asks for a token that was split.',
  },
} as const satisfies ErrorTable

const sideError = { INVALID_SIDE: { status: 400, message: 'side must be BUY or SELL.' } } as const satisfies ErrorTable

const { ORDER_TOO_SMALL, ORDER_TOO_LARGE, INVALID_QUANTITY, INVALID_PRICE, MM_CONFIG_VIOLATION } = orderErrors
const sizeErrors = { ORDER_TOO_SMALL, ORDER_TOO_LARGE, INVALID_QUANTITY, INVALID_PRICE } as const satisfies ErrorTable

/** Codes for fields that do not have the form of what is signed. */
export const termCodes = {
  expiry: 'INVALID_ORDER_EXPIRY',
  nonce: 'INVALID_ORDER_NONCE',
  salt: 'INVALID_ORDER_SALT',
} as const
export const sideCode = { side: 'INVALID_SIDE' } as const

const { PRICE_REF_STALE, PRICE_REF_UNAVAILABLE } = orderErrors

export const prepareErrors = {
  ...validationErrors,
  ...sideError,
  ...termErrors,
  ...sizeErrors,
  ...bookErrors,
  ...bookStateErrors,
  ...chainError,
  MARKET_ORDER_NOT_SUPPORTED: {
    status: 400,
    message: 'This book has no price band, so a MARKET order has no worst price to sign. Send a LIMIT with a price.',
  },
  PRICE_REF_STALE,
  PRICE_REF_UNAVAILABLE,
} as const satisfies ErrorTable

const figure = (description: string) => Type.String({ description })

/** What the vault no longer takes cannot be settled, so nothing new is matched. */
const vaultTokenErrors = {
  BASE_TOKEN_NOT_SUPPORTED: {
    status: 503,
    retry: true,
    message: 'The custody contract does not take the base token right now.',
  },
  QUOTE_TOKEN_NOT_SUPPORTED: {
    status: 503,
    retry: true,
    message: 'The custody contract does not take the quote token right now.',
  },
} as const satisfies ErrorTable

const movedError = {
  BOOK_MOVED: {
    status: 503,
    retry: true,
    message: 'The other side of the book kept changing while it was checked on chain. Nothing was done; try again.',
  },
} as const satisfies ErrorTable

/** What stands against a signed order, on every route that takes one. */
export const signedErrors = {
  ...termErrors,
  ...sizeErrors,
  SIGNATURE_REQUIRED: { status: 400, message: 'Orders on chain are signed: send the signature.' },
  FEE_ABOVE_LIMIT: { status: 400, message: 'The fee of this book is above the maxFee that was signed.' },
  INSUFFICIENT_CUSTODY_BALANCE: {
    status: 400,
    message: 'What the wallet has on chain, less what is reserved of it, does not cover the order.',
    extra: Type.Object({
      required: figure('Smallest units of the token.'),
      available: figure('Smallest units of the token.'),
      tokenAddress: Type.String(),
    }),
  },
  INVALID_SIGNATURE: {
    status: 401,
    message: 'The wallet did not sign this order under the domain of the custody contract.',
  },
  MM_CONFIG_VIOLATION,
  ORDER_NOT_LIVE: {
    status: 409,
    message: 'The signed order cannot fill on chain: it was cancelled, invalidated or filled there.',
    extra: Type.Object({
      reason: figure('CANCELLED_ON_CHAIN, NONCE_INVALIDATED or FILLED_ON_CHAIN.'),
      remainingBase: Type.Optional(figure('What could still fill, in smallest units of the base token.')),
    }),
  },
  DUPLICATE_ORDER: {
    status: 409,
    message: 'This signature was used before. One signature is one order for ever; sign again with another salt.',
    extra: Type.Object({ orderId: Type.String(), orderHash: Type.String() }),
  },
  DELIVERY_NOT_ALLOWED: {
    status: 409,
    message: "The token's rules or the custody contract would not let this trader settle.",
    extra: Type.Object({
      rule: figure('The first rule that refuses.'),
      deliveryCode: Type.Optional(Type.Integer({ description: 'Of the settlement contract.' })),
    }),
  },
  ...chainError,
  ...movedError,
} as const satisfies ErrorTable

const { POST_ONLY_WOULD_CROSS, PRICE_OUTSIDE_BAND } = orderErrors
const { DUPLICATE_CLIENT_ORDER_ID, PRICE_REQUIRED } = newOrderErrors

export const submitErrors = {
  ...validationErrors,
  ...sideError,
  ...bookErrors,
  ...bookStateErrors,
  ...signedErrors,
  ...vaultTokenErrors,
  MARKET_ORDER_NOT_SUPPORTED: {
    status: 400,
    message: 'What is signed has a limit. Prepare a MARKET order: it answers the limit to sign and send as IOC.',
  },
  PRICE_REQUIRED,
  PRICE_OUTSIDE_BAND,
  PRICE_REF_STALE,
  PRICE_REF_UNAVAILABLE,
  POST_ONLY_WOULD_CROSS,
  DUPLICATE_CLIENT_ORDER_ID,
} as const satisfies ErrorTable

/** What stops a whole batch. What stands against one of its orders is reported in that order's result. */
export const batchErrors = {
  ...validationErrors,
  ...bookErrors,
  ...bookStateErrors,
  ...vaultTokenErrors,
  ...chainError,
  ...movedError,
  PRICE_REF_STALE,
  PRICE_REF_UNAVAILABLE,
} as const satisfies ErrorTable

/** Own, ACTIVE, on chain, or it is not found; and no band, so no reference price either. */
export const priorityErrors = {
  ...validationErrors,
  ...bookErrors,
  ...signedErrors,
  ...vaultTokenErrors,
} as const satisfies ErrorTable

const ownOrderErrors = {
  INVALID_PARAM: { status: 400, message: 'An id is missing or too long.' },
  ORDER_NOT_FOUND: { status: 404, message: 'No such order of this wallet, or it rests no more.' },
} as const satisfies ErrorTable

export const cancelErrors = { ...validationErrors, ...ownOrderErrors } as const satisfies ErrorTable
export const amendErrors = {
  ...validationErrors,
  ...ownOrderErrors,
  ...sizeErrors,
  ORDER_BOOK_INACTIVE: bookStateErrors.ORDER_BOOK_INACTIVE,
} as const satisfies ErrorTable
export const lookupErrors = {
  INVALID_PARAM: ownOrderErrors.INVALID_PARAM,
  ORDER_NOT_FOUND: { status: 404, message: 'Your instance has no such order of this class.' },
} as const satisfies ErrorTable

export const cancelOnChainErrors = {
  ...validationErrors,
  ORDER_NOT_FOUND: { status: 404, message: 'None of these is an order of this wallet.' },
  ...chainError,
} as const satisfies ErrorTable

export const nonceFloorErrors = {
  ...validationErrors,
  ...bookErrors,
  ...chainError,
  INVALID_ORDER_NONCE: {
    status: 400,
    message: 'nonceFloor must be below 2^64 and above the floor that the wallet has now.',
  },
  WRONG_SETTLEMENT_MODE: bookStateErrors.WRONG_SETTLEMENT_MODE,
} as const satisfies ErrorTable
