import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { DecimalString, LowercaseAddress, Nullable } from '../primitives.ts'
import { deployedMarketErrors, detailsObject, transactionErrors, validationErrors } from './lending.errors.ts'
import { loanErrors, openLoanErrors } from './positions.errors.ts'

const unreadable = {
  LOAN_STATE_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The loan could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

const permitTokenErrors = {
  PERMIT_UNSUPPORTED: {
    status: 409,
    message: 'The borrow asset knows no permits (ERC-2612): approve the market instead.',
  },
  PERMIT_DOMAIN_UNRESOLVED: {
    status: 409,
    message: 'The borrow asset signs its permits under a domain that it does not tell: approve the market instead.',
  },
} as const satisfies ErrorTable

/** A payment on a loan that is open and owes something. */
export const quoteErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...openLoanErrors,
  NO_OUTSTANDING_DEBT: { status: 400, message: 'The loan has no debt: close it instead.' },
  ...permitTokenErrors,
  ...unreadable,
} as const satisfies ErrorTable

export const repayBuildErrors = {
  ...quoteErrors,
  INVALID_PERMIT: {
    status: 400,
    message: 'The permit would not be accepted.',
    extra: detailsObject({ reason: Type.String(), signer: Nullable(LowercaseAddress) }),
  },
  PERMIT_VALUE_REQUIRED: {
    status: 400,
    message: 'A permit for everything needs its value: the amount that was signed.',
  },
} as const satisfies ErrorTable

export const loanConfirmErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...transactionErrors,
} as const satisfies ErrorTable

export const closeBuildErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...loanErrors,
  DEBT_OUTSTANDING: {
    status: 400,
    message: 'The loan still has debt: repay it, which closes it as well.',
    extra: Type.Object({ outstandingDebt: DecimalString }),
  },
  LOAN_ALREADY_CLOSED: { status: 400, message: 'The loan is closed already.' },
  ...unreadable,
} as const satisfies ErrorTable
