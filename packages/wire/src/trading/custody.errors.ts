import { Type } from 'typebox'
import { transactionErrors } from '../common.errors.ts'
import type { ErrorTable } from '../operation.ts'
import { SetupSteps } from './custody.schemas.ts'

export const chainErrors = { CHAIN_UNAVAILABLE: transactionErrors.CHAIN_UNAVAILABLE } as const satisfies ErrorTable

/** What the set-up of custody can meet, on every class; hashes of its steps are proven like any confirmation. */
export const setupErrors = {
  ...transactionErrors,
  CUSTODY_SETUP_REQUIRED: {
    status: 409,
    message: 'Transactions have to be signed first. Send them, then repeat this request with their hashes.',
    extra: Type.Object({ setup: SetupSteps }),
  },
} as const satisfies ErrorTable

export const vaultErrors = {
  INVALID_CUSTODY_CONTRACT: { status: 400, message: 'This is not the vault of this class on your chain.' },
  BASE_TOKEN_NOT_SUPPORTED: {
    status: 503,
    message: 'The vault does not take the base token, and no transaction could change that.',
  },
  QUOTE_TOKEN_NOT_SUPPORTED: {
    status: 503,
    message: 'The vault does not take the quote token, and no transaction could change that.',
  },
} as const satisfies ErrorTable

export const identifierErrors = {
  TOKEN_NO_ISIN: { status: 400, message: 'The token has no identifier on chain.' },
  ISIN_MISMATCH: {
    status: 400,
    message: 'underlyingIdentifier differs from the identifier on chain.',
    extra: Type.Object({ onChain: Type.String() }),
  },
} as const satisfies ErrorTable

/** What a commodity is, which pooling has to know. */
export const attestationErrors = {
  ATTESTATION_NOT_FOUND: {
    status: 400,
    message: 'Pooling needs a published class: import the token and publish `profile.commodity`.',
  },
  ATTESTATION_INCOMPLETE: {
    status: 400,
    message: 'The published `profile.commodity` lacks a member or holds an unknown one.',
  },
  CFID_UNVERIFIED: { status: 400, message: 'The published symbol is not the symbol of the token on chain.' },
} as const satisfies ErrorTable

export const pairErrors = {
  INVALID_PAIR: { status: 400, message: 'A token cannot be traded against itself.' },
} as const satisfies ErrorTable

export const settlementErrors = {
  CUSTODY_NOT_DEPLOYED: {
    status: 503,
    message: 'The operator of this deployment has recorded no settlement contract for your chain.',
  },
} as const satisfies ErrorTable

export const custodyErrors = {
  CUSTODY_NOT_FOUND: { status: 404, message: 'This is not the custody contract of this class on your chain.' },
} as const satisfies ErrorTable
