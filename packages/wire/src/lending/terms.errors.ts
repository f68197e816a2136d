import type { ErrorTable } from '../operation.ts'
import { walletErrors } from './lending.errors.ts'

/** Who may write terms is told by the chain. */
export const authorErrors = {
  ...walletErrors,
  NOT_CURATOR: {
    status: 403,
    message: 'No verified wallet of your instance is the lender of record, the market admin or the issuer.',
  },
  MARKET_UNREADABLE: {
    status: 503,
    retry: true,
    message: 'It could not be read from the chain who may write these terms. Try again.',
  },
} as const satisfies ErrorTable

export const contentErrors = {
  INVALID_TERMS_CONTENT: {
    status: 400,
    message: 'content is empty, or holds control characters or broken Unicode.',
  },
  INVALID_TERMS_TITLE: {
    status: 400,
    message: 'title has more than 200 characters, or holds control characters or broken Unicode.',
  },
  TERMS_TOO_LARGE: { status: 413, message: 'content has more than 262,144 characters or bytes.' },
} as const satisfies ErrorTable

export const unpublishedErrors = {
  TERMS_NOT_PUBLISHED: { status: 404, message: 'No terms of use are in force for this market.' },
} as const satisfies ErrorTable

export const versionErrors = {
  TERMS_VERSION_NOT_FOUND: { status: 404, message: 'The terms of this market have no such version.' },
} as const satisfies ErrorTable
