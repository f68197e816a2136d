import type { ErrorTable } from '../operation.ts'
import { deployedMarketErrors, transactionErrors, unreadableErrors, validationErrors } from './lending.errors.ts'

export const feeReadErrors = { ...deployedMarketErrors, ...unreadableErrors } as const satisfies ErrorTable

const upgradeRequired = {
  MARKET_UPGRADE_REQUIRED: {
    status: 409,
    message:
      'This market is of a generation that knows no distributors and does not itemise its fees. Upgrade it first.',
  },
} as const satisfies ErrorTable

export const cashflowErrors = {
  ...feeReadErrors,
  ...validationErrors,
  ...upgradeRequired,
  LOAN_NOT_FOUND: { status: 404, message: 'This market has no loan with this id.' },
} as const satisfies ErrorTable

const sweepErrors = { ...deployedMarketErrors, ...validationErrors } as const satisfies ErrorTable

export const sweepConfirmErrors = { ...sweepErrors, ...transactionErrors } as const satisfies ErrorTable

const unavailable = {
  MARKET_FEES_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The booked balances could not be read from the market. Try again.',
  },
} as const satisfies ErrorTable

const notAdopted = {
  MARKET_NOT_ADOPTED: {
    status: 409,
    message: 'This market has no lender of record yet, so it has no operator wallet.',
  },
} as const satisfies ErrorTable

export const infrastructureSweepErrors = {
  ...sweepErrors,
  ...unavailable,
  NO_INFRASTRUCTURE_FEES: { status: 409, message: 'No infrastructure fees are booked: the sweep would revert.' },
} as const satisfies ErrorTable

export const protocolSweepErrors = {
  ...sweepErrors,
  ...unavailable,
  NO_INSURANCE_FUND: { status: 409, message: 'This market has no insurance fund.' },
  NO_PROTOCOL_FEES: { status: 409, message: 'Nothing is booked for the insurance fund: the sweep would revert.' },
} as const satisfies ErrorTable

export const operatorSweepErrors = {
  ...sweepErrors,
  ...notAdopted,
  NO_OPERATOR_FEES: { status: 409, message: 'No operator fees are booked: the sweep would revert.' },
  OPERATOR_FEES_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The booked operator fees could not be read from the market. Try again.',
  },
} as const satisfies ErrorTable

export const distributorSweepErrors = {
  ...sweepErrors,
  ...notAdopted,
  ...unreadableErrors,
  ...upgradeRequired,
  NOTHING_ACCRUED: { status: 409, message: 'This provider has no distributor fees to collect.' },
  VAULT_COLLECTS_ITSELF: {
    status: 409,
    message: 'This provider is a vault: it collects its fees itself, with collectDistributorFees.',
  },
  TX_WOULD_REVERT: { status: 409, message: 'The sweep would revert if it were sent now.' },
} as const satisfies ErrorTable
