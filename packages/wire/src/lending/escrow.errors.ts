import type { ErrorTable } from '../operation.ts'
import { deployedMarketErrors, transactionErrors, validationErrors } from './lending.errors.ts'

const custodyErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  NOT_CUSTODY_MODE: {
    status: 400,
    message: 'The collateral of this market stays frozen in the wallets of its holders: nothing is ever escrowed.',
  },
  NO_ADAPTER: { status: 400, message: 'No custody adapter is recorded for this market.' },
} as const satisfies ErrorTable

export const escrowReadErrors = {
  ...custodyErrors,
  ESCROW_UNREADABLE: { status: 503, retry: true, message: 'The escrow could not be read from the chain. Try again.' },
} as const satisfies ErrorTable

export const claimEscrowErrors = {
  ...custodyErrors,
  NO_ESCROWED_COLLATERAL: { status: 400, message: 'Nothing is escrowed for this holder.' },
} as const satisfies ErrorTable

export const surplusReadErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  SURPLUS_UNREADABLE: {
    status: 503,
    retry: true,
    message: 'The escrowed surplus could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

export const claimSurplusBuildErrors = {
  ...surplusReadErrors,
  NO_ESCROWED_SURPLUS: { status: 409, message: 'No surplus is escrowed for this address.' },
} as const satisfies ErrorTable

export const claimSurplusConfirmErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...transactionErrors,
} as const satisfies ErrorTable
