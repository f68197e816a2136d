import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { LowercaseAddress, Nullable } from '../primitives.ts'
import { detailsObject } from './lending.errors.ts'

/** A loan that a request names. */
export const loanErrors = {
  LOAN_NOT_FOUND: { status: 404, message: 'This market has no loan with this number.' },
} as const satisfies ErrorTable

export const openLoanErrors = {
  ...loanErrors,
  LOAN_NOT_ACTIVE: { status: 400, message: 'The loan is closed.' },
} as const satisfies ErrorTable

/** A signed price that the oracle would refuse. */
export const signedPriceErrors = {
  INVALID_SIGNED_PRICE: {
    status: 400,
    message: 'The signed price is expired, from the future, too old, or not signed by an authorized signer.',
    extra: detailsObject({ signer: Nullable(LowercaseAddress), reason: Type.String() }),
  },
  PRICE_DEVIATION_TOO_LARGE: {
    status: 400,
    message: 'The signed price moves further from the stored one than the oracle allows in one step.',
  },
  PRICE_WINDOW_DEVIATION_TOO_LARGE: {
    status: 400,
    message: 'The signed price moves further than the oracle allows in one hour.',
  },
  SIGNED_PRICE_OUTDATED: {
    status: 409,
    message: 'The oracle already holds a price at least as new as the signed one.',
  },
} as const satisfies ErrorTable

export const stalePriceErrors = {
  PRICE_STALE: { status: 400, message: 'The price is too old: sync the oracle, or send a signed price.' },
} as const satisfies ErrorTable

/** Routes that read loans and show nothing in place of one that could not be read. */
export const readLoanErrors = {
  LOAN_STATE_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The loan could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

export const loanIdErrors = {
  INVALID_LOAN_ID: { status: 400, message: 'The number of a loan is digits.' },
} as const satisfies ErrorTable

export const positionErrors = {
  POSITION_NOT_FOUND: { status: 404, message: 'This market has no position with this id.' },
} as const satisfies ErrorTable
