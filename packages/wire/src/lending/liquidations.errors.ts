import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { DecimalString, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import { deployedMarketErrors, transactionErrors, unreadableErrors, validationErrors } from './lending.errors.ts'
import { Data } from './lending.operation.ts'
import { IntegerString } from './lending.schemas.ts'
import { Readiness, RefusedLoan } from './liquidations.schemas.ts'
import { loanErrors, signedPriceErrors, stalePriceErrors } from './positions.errors.ts'
import { CountedId } from './positions.schemas.ts'

const loanId = {
  INVALID_LOAN_ID: { status: 400, message: 'The number of a loan is a positive integer.' },
} as const satisfies ErrorTable

const withReadiness = Type.Object({ readiness: Readiness })
const withLoan = Type.Object({ readiness: Readiness, loan: RefusedLoan })

export const liquidateBuildErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...loanId,
  ...loanErrors,
  ...unreadableErrors,
  ...signedPriceErrors,
  LOAN_NOT_ACTIVE: { status: 400, message: 'The loan is closed.', extra: withLoan },
  LOAN_IN_AUCTION: {
    status: 400,
    message: 'Collateral of the loan is in an auction: the loan cannot be realized again before that has ended.',
    extra: withLoan,
  },
  LIQUIDATION_NOT_READY: {
    status: 400,
    message: 'The router does not accept the market, or the collateral token does not let the router hold it.',
    extra: withReadiness,
  },
  AUCTION_VENUE_NOT_ADMITTED: {
    status: 400,
    message: 'Auctions are on, and the collateral token does not let the venue hold it.',
    extra: withReadiness,
  },
  PRICE_STALE: { ...stalePriceErrors.PRICE_STALE, extra: withReadiness },
  LOAN_NOT_LIQUIDATABLE: {
    status: 400,
    message: 'The loan is healthy and not past its term.',
    extra: withLoan,
  },
  COLLATERAL_TRANSFER_RESTRICTED: {
    status: 400,
    message: 'The collateral token does not let the adapter deliver it.',
    extra: withReadiness,
  },
  ATOMIC_BUYER_UNAVAILABLE: {
    status: 409,
    message: 'The router sells at once, and its buyer cannot pay: the seizure would revert.',
    extra: Type.Object({
      readiness: Readiness,
      details: Data({
        reasonCode: OneOf([
          'NO_BID',
          'BID_EXPIRED',
          'BID_BELOW_FLOOR',
          'SELF_PURCHASE',
          'ALLOWANCE_SHORT',
          'BALANCE_SHORT',
        ]),
        saleRecipient: Nullable(LowercaseAddress),
        routerAddress: LowercaseAddress,
        loanId: CountedId,
        expectedPayment: Nullable(Data({ amount: DecimalString, raw: IntegerString })),
        collateralAmount: Nullable(IntegerString),
      }),
    }),
  },
} as const satisfies ErrorTable

export const liquidateConfirmErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...loanId,
  ...transactionErrors,
} as const satisfies ErrorTable

export const liquidatableErrors = { ...deployedMarketErrors, ...unreadableErrors } as const satisfies ErrorTable

export const routerStatsErrors = {
  MARKET_REQUIRED: { status: 400, message: 'Name a market: marketId, at most 100 characters.' },
  MARKET_NOT_FOUND: deployedMarketErrors.MARKET_NOT_FOUND,
  NO_MARKET_ADDRESS: deployedMarketErrors.NO_MARKET_ADDRESS,
  STATS_UNAVAILABLE: { status: 503, retry: true, message: 'The router could not be read from the chain. Try again.' },
} as const satisfies ErrorTable
