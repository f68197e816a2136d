import type { ErrorTable } from '../operation.ts'
import {
  deployedMarketErrors,
  pendingCuratorErrors,
  transactionErrors,
  unreadableErrors,
  validationErrors,
} from './lending.errors.ts'

export const modelErrors = {
  MODEL_UNRESOLVED: { status: 503, retry: true, message: 'The rate model of the market could not be read. Try again.' },
} as const satisfies ErrorTable

/** What every setting can answer before it is signed. */
export const settingBuildErrors = {
  ...validationErrors,
  ...deployedMarketErrors,
  ...pendingCuratorErrors,
  ...unreadableErrors,
} as const satisfies ErrorTable

/** And once its transaction is reported. */
export const settingConfirmErrors = {
  ...validationErrors,
  ...deployedMarketErrors,
  ...transactionErrors,
} as const satisfies ErrorTable

export const rateModeErrors = {
  ...settingBuildErrors,
  ...modelErrors,
  INVALID_RATE_OFFERING: { status: 400, message: 'The rate fields do not fit the rate mode.' },
  RATE_ABOVE_MAX_FIXED: { status: 400, message: 'The rate is above the ceiling for stamped rates.' },
  FIXED_RATE_REQUIRES_TERMS: {
    status: 409,
    message: 'A stamped rate ends with its loan: set maxLoanDurationDays in the term configuration first.',
  },
} as const satisfies ErrorTable

export const maxFixedRateErrors = {
  ...settingBuildErrors,
  ...modelErrors,
  MAX_FIXED_RATE_ONLY_DECREASES: { status: 400, message: 'The ceiling for stamped rates only falls.' },
  MAX_FIXED_RATE_BELOW_STAMP: {
    status: 409,
    message: 'New loans are stamped with a higher rate now. Lower the rate of the rate mode first.',
  },
} as const satisfies ErrorTable

export const termConfigErrors = {
  ...settingBuildErrors,
  INVALID_TERM_OFFERING: { status: 400, message: 'The term fields do not fit each other or the market.' },
  TERMS_REQUIRED_BY_FIXED_RATE: {
    status: 409,
    message: 'The rate mode is FIXED, which needs maxLoanDurationDays. Leave FIXED first.',
  },
} as const satisfies ErrorTable
