import type { ErrorTable } from '../operation.ts'
import { deployedMarketErrors, pendingCuratorErrors, transactionErrors, unreadableErrors } from './lending.errors.ts'

export const wireAuctionErrors = {
  ...deployedMarketErrors,
  ...pendingCuratorErrors,
  ...unreadableErrors,
  INVALID_MODULE_ADDRESS: { status: 400, message: 'moduleAddress is not a valid address.' },
  AUCTION_UNSUPPORTED_PRICE_SOURCE: {
    status: 400,
    message: 'A market with MARKET prices sells at once and holds no auctions.',
  },
  MODULE_MARKET_MISMATCH: {
    status: 400,
    message: 'The contract at moduleAddress is no venue for this market, its collateral and its borrow asset.',
  },
  MODULE_ALREADY_SET: {
    status: 409,
    message: 'The market has a venue. Name it as moduleAddress to see what is missing, or another one to replace it.',
  },
} as const satisfies ErrorTable

export const confirmAuctionErrors = { ...deployedMarketErrors, ...transactionErrors } as const satisfies ErrorTable
