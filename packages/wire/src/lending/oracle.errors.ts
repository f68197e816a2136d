import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { LowercaseAddress } from '../primitives.ts'

const signerExtra = Type.Object({ signerAddress: LowercaseAddress })

export const oracleUnreachable = {
  ORACLE_UNREACHABLE: {
    status: 503,
    retry: true,
    message: 'The price oracle could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

export const priceErrors = {
  MISSING_PRICE: {
    status: 400,
    message: 'price must be a string with a decimal above zero, in units of the borrow asset.',
  },
} as const satisfies ErrorTable

/** Nobody was named as the signer, and nobody can be found. */
export const signerWalletErrors = {
  WALLET_NOT_CONFIGURED: {
    status: 400,
    message: 'Nobody is known to sign: name signerAddress, or register a wallet of your instance.',
  },
} as const satisfies ErrorTable

export const syncSignerErrors = {
  ...signerWalletErrors,
  SIGNER_NOT_AUTHORIZED: {
    status: 403,
    message: 'The oracle does not accept this wallet as a signer.',
    extra: signerExtra,
  },
  PRICE_DEVIATION_TOO_LARGE: {
    status: 400,
    message: 'The oracle moves at most its maximum deviation in one step.',
    extra: Type.Object({ currentPrice: Type.String(), maxDeviationBps: Type.Integer() }),
  },
} as const satisfies ErrorTable

export const signErrors = {
  ...signerWalletErrors,
  SIGNER_NOT_AUTHORIZED: {
    status: 400,
    message: 'The oracle does not accept this wallet as a signer.',
    extra: signerExtra,
  },
} as const satisfies ErrorTable

export const attestationErrors = {
  SIGNATURE_NOT_ACCEPTED: { status: 422, message: 'The oracle would not accept this signed price.' },
  ATTESTATION_FAILED: {
    status: 500,
    retry: true,
    message: 'The attestation could not be stored. Try again; the request id finds it in the logs.',
  },
} as const satisfies ErrorTable

export const oracleHistoryErrors = {
  ORACLE_HISTORY_FAILED: {
    status: 500,
    retry: true,
    message: 'The history could not be read. Try again; the request id finds it in the logs.',
  },
} as const satisfies ErrorTable

export const priceHistoryErrors = {
  PRICE_HISTORY_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The price could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable
