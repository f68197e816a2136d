import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import {
  deployedMarketErrors,
  detailsObject,
  pendingCuratorErrors,
  transactionErrors,
  validationErrors,
} from './lending.errors.ts'

const unreadableGates = {
  IDENTITY_GATES_UNREADABLE: {
    status: 503,
    retry: true,
    message: 'The registers of the market could not be read. Try again.',
  },
} as const satisfies ErrorTable

export const readGatesErrors = {
  ...deployedMarketErrors,
  ...unreadableGates,
  IDENTITY_GATES_READ_FAILED: { status: 500, retry: true, message: 'The registers of the market could not be shown.' },
} as const satisfies ErrorTable

export const setGatesErrors = {
  ...validationErrors,
  ...deployedMarketErrors,
  ...pendingCuratorErrors,
  ...unreadableGates,
  MARKET_UPGRADE_REQUIRED: {
    status: 409,
    message: 'The implementation of this market has a single, fixed register. Its admin has to upgrade it first.',
  },
  IDENTITY_REGISTRY_REQUIRED: {
    status: 409,
    message:
      'A market with MARKET prices lends to registered borrowers only: the register can be replaced, not cleared.',
    extra: detailsObject({ field: Type.Literal('borrowerRegistry') }),
  },
  IDENTITY_GATES_UNCHANGED: { status: 409, message: 'The market has exactly these registers already.' },
  IDENTITY_REGISTRY_INCOMPATIBLE: {
    status: 422,
    message: 'The register does not answer isVerified(address), so it would refuse everyone.',
    extra: detailsObject({ field: Type.String() }),
  },
} as const satisfies ErrorTable

export const confirmGatesErrors = {
  ...validationErrors,
  ...deployedMarketErrors,
  ...transactionErrors,
} as const satisfies ErrorTable
