import { Type } from 'typebox'
import { fieldDetails, transactionErrors, validationErrors } from '../common.errors.ts'
import type { ErrorTable } from '../operation.ts'
import { relayErrors } from '../relayer/relayer.errors.ts'
import { Simulation } from './stocks.schemas.ts'

/** Every route that names a token in its path. */
export const tokenErrors = {
  TOKEN_NOT_FOUND: {
    status: 404,
    message: 'Your instance has recorded no stock token at this address. Log its deployment first.',
  },
} as const satisfies ErrorTable

export const chainErrors = {
  CHAIN_UNAVAILABLE: transactionErrors.CHAIN_UNAVAILABLE,
} as const satisfies ErrorTable

export const missingFields = {
  MISSING_FIELDS: {
    status: 400,
    message: 'A field that this request needs is missing; details say which.',
    extra: fieldDetails,
  },
} as const satisfies ErrorTable

export const factoryErrors = {
  STOCKS_NOT_CONFIGURED: {
    status: 503,
    message: 'The operator of this deployment has recorded no stock factory or no identity registry for your chain.',
  },
} as const satisfies ErrorTable

/** What `useRelayer` can meet. */
const relayerErrors = {
  ...relayErrors,
  TX_WOULD_REVERT: {
    status: 409,
    message: 'The transaction would fail if the relayer sent it now, so it was not sent.',
    extra: Type.Object({ simulation: Simulation }),
  },
} as const satisfies ErrorTable

export const buildErrors = { ...validationErrors, ...chainErrors, ...relayerErrors } as const satisfies ErrorTable
export const tokenBuildErrors = { ...tokenErrors, ...buildErrors } as const satisfies ErrorTable
export const confirmErrors = {
  ...tokenErrors,
  ...validationErrors,
  ...transactionErrors,
} as const satisfies ErrorTable

export const arrayErrors = {
  ARRAY_MISMATCH: { status: 400, message: 'recipients and amounts must be lists of the same length.' },
} as const satisfies ErrorTable

export const ratioErrors = {
  INVALID_RATIO: {
    status: 400,
    message:
      'numerator and denominator must be positive integers, the numerator the larger: shares never become fewer.',
  },
} as const satisfies ErrorTable

export const roleErrors = {
  INVALID_ROLE: { status: 400, message: 'role must be one of ISSUER, SUB_ISSUER, CONTROLLER, LEGAL_OPERATOR.' },
} as const satisfies ErrorTable

export const holdersErrors = {
  BLOCK_NOT_REACHED: {
    status: 409,
    retry: true,
    message: 'The record of this token does not reach that block yet. Try again.',
    extra: Type.Object({ recordedTo: Type.String() }),
  },
} as const satisfies ErrorTable
