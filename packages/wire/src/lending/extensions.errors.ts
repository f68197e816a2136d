import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import {
  deployedMarketErrors,
  pendingCuratorErrors,
  transactionErrors,
  unreadableErrors,
  validationErrors,
} from './lending.errors.ts'

const buildErrors = {
  ...validationErrors,
  ...deployedMarketErrors,
  ...pendingCuratorErrors,
  ...unreadableErrors,
} as const satisfies ErrorTable

export const proposeErrors = {
  ...buildErrors,
  INVALID_EXTENSION: {
    status: 400,
    message: 'The proposal does not fit its kind, or does not move a maturity later.',
  },
  LOAN_NOT_ACTIVE: { status: 400, message: 'The loan is closed.' },
  LOAN_NOT_FOUND: { status: 404, message: 'This market has no loan with this id.' },
  TERMS_NOT_ENABLED: { status: 409, message: 'Loans of this market have no term, so there is nothing to extend.' },
  EXTENSION_NOT_ALLOWED: { status: 409, message: 'This market does not extend loans.' },
  LOAN_STATE_UNAVAILABLE: { status: 503, retry: true, message: 'The loan could not be read. Try again.' },
} as const satisfies ErrorTable

export const actErrors = {
  ...buildErrors,
  EXTENSION_LOAN_OUT_OF_SCOPE: {
    status: 400,
    message: 'The batch covers only loans that were open when it was proposed.',
    extra: Type.Object({ maxLoanId: Type.String(), outOfScope: Type.Array(Type.String()) }),
  },
  EXTENSION_NOT_FOUND: { status: 404, message: 'This market has no proposal with this id.' },
  EXTENSION_NOT_ALLOWED: { status: 409, message: 'The extension switch of the market is off.' },
  EXTENSION_CONSUMED: { status: 409, message: 'The proposal was applied or cancelled.' },
  EXTENSION_ALREADY_CONFIRMED: { status: 409, message: 'The proposal is confirmed. Apply it page by page.' },
  EXTENSION_EXPIRED: { status: 409, message: 'The proposal was not confirmed within seven days. Propose again.' },
  INVALID_EXTENSION: { status: 409, message: 'The proposal does not move a maturity later any more.' },
  LOAN_NOT_ACTIVE: { status: 409, message: 'The loan of the proposal is closed or being realized.' },
  EXTENSION_NOT_BATCH: { status: 409, message: 'Only a BATCH is applied. This proposal took effect when confirmed.' },
  EXTENSION_NOT_CONFIRMED: { status: 409, message: 'The admin of the market has to confirm the batch first.' },
} as const satisfies ErrorTable

export const confirmTransactionErrors = {
  ...validationErrors,
  ...deployedMarketErrors,
  ...transactionErrors,
} as const satisfies ErrorTable
