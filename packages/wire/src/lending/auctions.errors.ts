import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { Instant, LowercaseAddress } from '../primitives.ts'
import {
  deployedMarketErrors,
  pendingCuratorErrors,
  transactionErrors,
  unreadableErrors,
  validationErrors,
} from './lending.errors.ts'
import { UnixSeconds } from './lending.schemas.ts'

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

const unreadableVenue = {
  AUCTION_STATE_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The auctions of the market could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

const notFound = {
  AUCTION_NOT_FOUND: { status: 404, message: 'The venue of this market has held no auction with this number.' },
} as const satisfies ErrorTable

const noVenue = {
  AUCTION_MODULE_NOT_SET: { status: 409, message: 'This market has no auction venue.' },
} as const satisfies ErrorTable

export const listAuctionsErrors = { ...deployedMarketErrors, ...unreadableVenue } as const satisfies ErrorTable
export const getAuctionErrors = { ...listAuctionsErrors, ...notFound } as const satisfies ErrorTable

export const loanAuctionErrors = {
  ...listAuctionsErrors,
  INVALID_LOAN_ID: { status: 400, message: 'The number of a loan is a positive integer.' },
} as const satisfies ErrorTable

export const bidBuildErrors = {
  ...getAuctionErrors,
  ...validationErrors,
  ...noVenue,
  AUCTION_NOT_ACTIVE: { status: 409, message: 'The auction is over.' },
  AUCTION_EXPIRED: {
    status: 409,
    message: 'The auction has ended. What it did not sell can be sent to the router.',
    extra: Type.Object({
      endTime: UnixSeconds,
      settleWith: Type.String({ description: 'The route that settles it.' }),
    }),
  },
} as const satisfies ErrorTable

export const confirmOnVenueErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...noVenue,
  ...transactionErrors,
} as const satisfies ErrorTable

export const settleBuildErrors = {
  ...getAuctionErrors,
  ...validationErrors,
  ...noVenue,
  AUCTION_NOT_ACTIVE: { status: 400, message: 'The auction is over.' },
  AUCTION_NOT_EXPIRED: {
    status: 400,
    message: 'The auction is still running.',
    extra: Type.Object({ eligibleAt: Instant }),
  },
  LIQUIDATOR_ROLE_MISSING: {
    status: 400,
    message: 'While the market is paused only its liquidators settle, and the signer is none.',
    extra: Type.Object({
      calldata: Type.Object(
        { to: LowercaseAddress, data: Type.String(), description: Type.String() },
        { additionalProperties: false, description: 'Grants the role; the admin of the market signs it.' },
      ),
    }),
  },
} as const satisfies ErrorTable

export const deliverBuildErrors = {
  ...getAuctionErrors,
  ...validationErrors,
  ...noVenue,
  NOTHING_UNSOLD: { status: 409, message: 'No collateral of this auction waits at the venue.' },
} as const satisfies ErrorTable
