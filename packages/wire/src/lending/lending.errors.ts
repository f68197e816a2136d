import { Type } from 'typebox'
import { transactionErrors, validationErrors } from '../common.errors.ts'
import type { ErrorTable } from '../operation.ts'

/** Every route that takes the id of a market. */
export const marketErrors = {
  MISSING_MARKET_ID: { status: 400, message: 'The market id in the path is longer than 100 characters.' },
  MARKET_NOT_FOUND: { status: 404, message: 'Your instance has no market with this id.' },
} as const satisfies ErrorTable

/** Routes that need the market on chain. */
export const deployedMarketErrors = {
  ...marketErrors,
  NO_MARKET_ADDRESS: {
    status: 400,
    message: 'This market has no address on chain yet: its deployment was built but not confirmed.',
  },
} as const satisfies ErrorTable

export const walletErrors = {
  WALLET_NOT_CONFIGURED: {
    status: 412,
    message: 'Your instance has no verified wallet. Register one first.',
  },
} as const satisfies ErrorTable

export const factoryErrors = {
  LENDING_NOT_CONFIGURED: {
    status: 503,
    message: 'The operator of this deployment has recorded no lending factory for your chain.',
  },
} as const satisfies ErrorTable

/** Actions that somebody holding a role must take, before anybody holds one. */
export const pendingCuratorErrors = {
  MARKET_PENDING_CURATOR: {
    status: 409,
    message: 'This market has no lender of record yet, so nobody holds the role that would sign.',
  },
} as const satisfies ErrorTable

export const unreadableErrors = {
  MARKET_STATE_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The market could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

export { transactionErrors, validationErrors }

/** The fields of `details` where a code explains itself by an object. */
export function detailsObject(properties: Parameters<typeof Type.Object>[0]) {
  return Type.Object({ details: Type.Object(properties, { additionalProperties: false }) })
}
