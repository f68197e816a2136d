import type { ErrorTable } from '../operation.ts'
import { deployedMarketErrors, transactionErrors, validationErrors } from './lending.errors.ts'

const base = {
  ...deployedMarketErrors,
  NO_INSURANCE_FUND: { status: 400, message: 'This market has no insurance fund.' },
} as const satisfies ErrorTable

const unreadable = {
  FUND_NOT_READABLE: { status: 400, message: 'The contract that the market calls its fund does not answer as one.' },
  FUND_STATE_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The insurance fund could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

export const insuranceStatusErrors = { ...base, ...unreadable } as const satisfies ErrorTable

const amount = {
  INVALID_AMOUNT: {
    status: 400,
    message: 'amount must be a positive decimal with no more decimals than the borrow asset.',
  },
} as const satisfies ErrorTable

export const topUpErrors = {
  ...base,
  ...validationErrors,
  ...amount,
  INSUFFICIENT_BALANCE: { status: 400, message: 'The wallet holds less of the borrow asset than that.' },
  FUND_UPGRADE_REQUIRED: {
    status: 409,
    message: 'This fund is of a generation that only its markets can fill. Its owner has to upgrade it first.',
  },
  FUND_STATE_UNAVAILABLE: unreadable.FUND_STATE_UNAVAILABLE,
} as const satisfies ErrorTable

const { TX_NOT_FOUND, TX_REVERTED, TX_NOT_VERIFIED, CHAIN_UNAVAILABLE } = transactionErrors

export const recordTopUpErrors = {
  ...base,
  ...validationErrors,
  ...amount,
  TX_NOT_FOUND,
  TX_REVERTED,
  TX_NOT_VERIFIED: { ...TX_NOT_VERIFIED, message: 'The transaction topped the fund up, but not from this wallet.' },
  AMOUNT_MISMATCH: { status: 400, message: 'The wallet topped the fund up in this transaction, by another amount.' },
  NOT_A_TOP_UP: {
    status: 409,
    message:
      'The transaction did not top the fund up. Cash that was merely transferred to it counts in its balance, but is not booked.',
  },
  CHAIN_UNAVAILABLE,
} as const satisfies ErrorTable

export const withdrawBuildErrors = {
  ...base,
  ...validationErrors,
  ...unreadable,
  INSUFFICIENT_BALANCE: { status: 400, message: 'The fund holds less than that.' },
} as const satisfies ErrorTable

export const withdrawConfirmErrors = {
  ...base,
  ...validationErrors,
  ...transactionErrors,
} as const satisfies ErrorTable
