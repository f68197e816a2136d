import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { DecimalString, Instant, LowercaseAddress, Nullable } from '../primitives.ts'
import { deployedMarketErrors, detailsObject, transactionErrors, validationErrors } from './lending.errors.ts'

const { TX_REVERTED: _told, ...provable } = transactionErrors

/** A write whose mined failure has a name of its own. */
const reverted = (message: string) =>
  ({
    status: 400,
    message,
    extra: Type.Object({ txHash: Type.Optional(Type.String()) }),
  }) as const

const unreadable = {
  ROUTER_UNREADABLE: {
    status: 503,
    retry: true,
    message: 'The liquidation router could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

/** A liquidation that a path names by the number that its router counts. */
const lookup = {
  ...validationErrors,
  MISSING_ID: { status: 400, message: 'The path names no liquidation.' },
  AMBIGUOUS_LIQUIDATION_ID: {
    status: 400,
    message: 'Several markets of your instance have a liquidation with this number. Send marketId.',
    extra: Type.Object({
      candidates: Type.Array(
        Type.Object({
          marketId: Type.String(),
          marketAddress: LowercaseAddress,
          status: Type.Enum(['PENDING', 'SETTLED', 'WRITTEN_OFF']),
          collateralAmount: Nullable(DecimalString),
        }),
      ),
    }),
  },
  LIQUIDATION_NOT_FOUND: {
    status: 404,
    message: 'No router of your markets has a liquidation with this number.',
  },
  MARKET_NOT_FOUND: { status: 404, message: 'Your instance has no market with this id.' },
  ROUTER_NOT_CONFIGURED: {
    status: 400,
    message: 'This market has no router yet: its deployment was built but not confirmed.',
  },
  ...unreadable,
} as const satisfies ErrorTable

const onRouter = {
  ...lookup,
  LIQUIDATION_ON_VENUE: {
    status: 409,
    message:
      'The auction venue took this liquidation. What it does not sell reaches the router when the auction has expired, under a number of the router.',
  },
} as const satisfies ErrorTable

const wallet = {
  WALLET_NOT_CONFIGURED: { status: 400, message: 'Your instance has no verified wallet. Register one first.' },
} as const satisfies ErrorTable

const operator = {
  ...wallet,
  ROUTER_OPERATOR_ROLE_MISSING: {
    status: 400,
    message: 'No wallet of your instance holds OPERATOR_ROLE on the router. The router admin can sign `calldata`.',
    extra: Type.Object({
      calldata: Type.Object({ to: LowercaseAddress, data: Type.String(), description: Type.String() }),
    }),
  },
} as const satisfies ErrorTable

const routerAdminRole = {
  ROUTER_ADMIN_ROLE_MISSING: {
    status: 400,
    message: 'No wallet of your instance holds DEFAULT_ADMIN_ROLE on the router.',
  },
} as const satisfies ErrorTable
const routerAdmin = { ...wallet, ...routerAdminRole } as const satisfies ErrorTable

const marketAdmin = {
  ...wallet,
  MARKET_ADMIN_ROLE_MISSING: {
    status: 400,
    message: 'No wallet of your instance holds DEFAULT_ADMIN_ROLE on the market.',
  },
} as const satisfies ErrorTable

const settled = {
  ALREADY_SETTLED: { status: 400, message: 'The liquidation is settled already.' },
} as const satisfies ErrorTable

const collateralUnsold = {
  COLLATERAL_UNSOLD: {
    status: 409,
    message: 'Collateral of the liquidation is still on the router: withdraw it for sale first.',
    extra: Type.Object({ collateralRemaining: DecimalString }),
  },
} as const satisfies ErrorTable

export const withdrawForSaleBuildErrors = {
  ...onRouter,
  ...settled,
  ...operator,
  RECIPIENT_FIXED: {
    status: 400,
    message: 'Collateral goes to the sale recipient of the market and nowhere else.',
    extra: Type.Object({ saleRecipient: LowercaseAddress }),
  },
  SALE_RECIPIENT_NOT_SET: {
    status: 400,
    message: 'This market has no lender of record yet, so no sale recipient was designated.',
  },
  SALE_RECIPIENT_TRANSFER_RESTRICTED: {
    status: 400,
    message: 'The collateral token refuses the transfer to the sale recipient.',
    extra: Type.Object({
      saleRecipient: LowercaseAddress,
      saleDeliveryCode: Type.Integer({
        description:
          '1 sender unverified, 2 receiver unverified, 3 sender frozen, 4 receiver frozen, 5 a rule of the token, 6 token paused, 7 free balance short.',
      }),
      saleDeliveryRule: Nullable(
        Type.String({ description: 'What the token calls the rule that refuses, where it says so: own stocks do.' }),
      ),
    }),
  },
} as const satisfies ErrorTable

export const withdrawForSaleConfirmErrors = {
  ...onRouter,
  ...provable,
  TX_NOT_VERIFIED: { status: 400, message: 'The transaction withdrew collateral of another liquidation, or none.' },
  RECIPIENT_FIXED: withdrawForSaleBuildErrors.RECIPIENT_FIXED,
  WITHDRAW_TX_REVERTED: reverted('The withdrawal was mined but failed, so nothing left the router.'),
} as const satisfies ErrorTable

export const partialSaleBuildErrors = { ...onRouter, ...settled, ...operator } as const satisfies ErrorTable
export const partialSaleConfirmErrors = {
  ...onRouter,
  ...provable,
  PARTIAL_SALE_TX_REVERTED: reverted('The report was mined but failed, so no cash reached the router.'),
} as const satisfies ErrorTable

export const settleBuildErrors = {
  ...onRouter,
  ...settled,
  ...operator,
  ...collateralUnsold,
  INVALID_AMOUNT: {
    status: 400,
    message: 'usdcProceeds must be a decimal of at least 0, with no more decimals than the borrow asset.',
  },
  NO_PROCEEDS_COLLECTED: {
    status: 400,
    message: 'There is no cash to settle with: nothing was sold, nothing reported, and no auction left any.',
  },
  SALE_NOT_REPORTED: {
    status: 409,
    message: 'All collateral is out for sale and no cash of it was reported: report the sale, or send what it brought.',
  },
} as const satisfies ErrorTable

export const settleConfirmErrors = {
  ...onRouter,
  ...provable,
  SETTLE_TX_REVERTED: reverted('The settlement was mined but failed, so nothing was settled.'),
} as const satisfies ErrorTable

export const timeoutBuildErrors = {
  ...lookup,
  ...settled,
  ...marketAdmin,
  LIQUIDATION_NOT_TIMED_OUT: {
    status: 400,
    message: 'Seven days have not passed since the seizure.',
    extra: Type.Object({ eligibleAt: Instant }),
  },
} as const satisfies ErrorTable

export const timeoutConfirmErrors = {
  ...lookup,
  ...provable,
  TIMEOUT_TX_REVERTED: reverted('The write-off was mined but failed, so nothing was written off.'),
} as const satisfies ErrorTable

export const countersignBuildErrors = {
  ...lookup,
  ...settled,
  ...marketAdmin,
  ALREADY_COUNTERSIGNED: { status: 409, message: 'The sale is countersigned already.' },
} as const satisfies ErrorTable

export const countersignConfirmErrors = {
  ...lookup,
  ...provable,
  COUNTERSIGN_TX_REVERTED: reverted('The countersignature was mined but failed.'),
} as const satisfies ErrorTable

export const closeBuildErrors = {
  ...onRouter,
  ...settled,
  ...routerAdmin,
  ...collateralUnsold,
  PROCEEDS_COLLECTED: {
    status: 409,
    message: 'Cash of the liquidation waits on the router: settle it instead.',
    extra: Type.Object({ proceedsCollected: DecimalString }),
  },
  MARKET_SETTLEMENT_PENDING: {
    status: 409,
    message: 'The market still counts on this liquidation: settle it, or have it written off after seven days.',
  },
} as const satisfies ErrorTable

export const closeConfirmErrors = {
  ...onRouter,
  ...provable,
  CLOSE_TX_REVERTED: reverted('The closing was mined but failed, so the liquidation is as it was.'),
} as const satisfies ErrorTable

export const reopenBuildErrors = {
  ...onRouter,
  ...routerAdmin,
  LIQUIDATION_NOT_SETTLED: { status: 409, message: 'The liquidation is open: there is nothing to reopen.' },
  REOPEN_UNAVAILABLE: {
    status: 409,
    message: 'The liquidation was settled with cash of its own, so all of its collateral was sold.',
  },
  NOTHING_TO_RECOVER: { status: 409, message: 'No collateral of the liquidation is left on the router.' },
} as const satisfies ErrorTable

export const reopenConfirmErrors = {
  ...onRouter,
  ...provable,
  REOPEN_TX_REVERTED: reverted('The reopening was mined but failed, so the liquidation is as it was.'),
} as const satisfies ErrorTable

const marketUnavailable = {
  MARKET_STATE_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The market, its oracle or its borrow asset could not be read from the chain. Try again.',
  },
} as const satisfies ErrorTable

const basisReasons = Type.Enum([
  'PRICE_SOURCE_NOT_MARKET',
  'REALIZATION_PATH_NOT_EXCHANGE_SALE',
  'REALIZATION_PATH_UNREAD',
])
const buyerReasons = [
  'NO_BID',
  'BID_EXPIRED',
  'SELF_PURCHASE',
  'BID_BELOW_FLOOR',
  'PRICE_STALE',
  'ALLOWANCE_SHORT',
  'BALANCE_SHORT',
  'DELIVERY_REFUSED',
] as const

const saleUnavailable = {
  ATOMIC_SALE_UNAVAILABLE: {
    status: 409,
    message: 'Sales in one step are for markets at market prices whose lender declared to realize by exchange sale.',
    extra: detailsObject({
      reasonCode: basisReasons,
      priceSource: Type.String(),
      realizationMode: Nullable(Type.String()),
    }),
  },
} as const satisfies ErrorTable

export const sellBuildErrors = {
  ...onRouter,
  ...settled,
  ...operator,
  ...saleUnavailable,
  ...marketUnavailable,
  COLLATERAL_ALREADY_OUT_FOR_SALE: {
    status: 409,
    message: 'A part of the liquidation is out for sale or sold. Only a whole one can be sold in one step.',
  },
  ATOMIC_BUYER_UNAVAILABLE: {
    status: 409,
    message: 'The sale recipient cannot buy now.',
    extra: detailsObject({
      reasonCode: Type.Enum([...buyerReasons]),
      saleRecipient: LowercaseAddress,
      routerAddress: LowercaseAddress,
      expectedPayment: Nullable(Type.Object({ amount: DecimalString, raw: Type.String() })),
    }),
  },
} as const satisfies ErrorTable

export const sellConfirmErrors = {
  ...onRouter,
  ...provable,
  SELL_PENDING_FAILED: reverted('The sale was mined but failed, so nothing was sold.'),
} as const satisfies ErrorTable

export const atomicSaleReadErrors = {
  ...deployedMarketErrors,
  ...unreadable,
  VALIDATION_ERROR: validationErrors.VALIDATION_ERROR,
} as const satisfies ErrorTable

const ofMarket = { ...validationErrors, ...deployedMarketErrors } as const satisfies ErrorTable

export const atomicModeBuildErrors = {
  ...ofMarket,
  ...unreadable,
  ...routerAdmin,
  ...saleUnavailable,
} as const satisfies ErrorTable

export const atomicModeConfirmErrors = {
  ...ofMarket,
  ...provable,
  ATOMIC_MODE_FAILED: reverted('The change was mined but failed, so the mode is as it was.'),
} as const satisfies ErrorTable

export const saleBidBuildErrors = {
  ...ofMarket,
  ...unreadable,
  ...saleUnavailable,
  INVALID_SALE_BID: {
    status: 400,
    message: 'A bid is 9500 to 20000 basis points of the oracle price for at least a minute; 0 withdraws it.',
  },
  NOT_SALE_RECIPIENT: {
    status: 403,
    message: 'Only the sale recipient bids.',
    extra: Type.Object({ saleRecipient: LowercaseAddress }),
  },
  SALE_BID_BELOW_FLOOR: {
    status: 409,
    message: 'The bid is below the floor of the market.',
    extra: Type.Object({ floorBps: Type.Integer() }),
  },
  SALE_BID_UNCHANGED: { status: 409, message: 'Bid and allowance stand like this already.' },
  SALE_RECIPIENT_NOT_SET: {
    status: 409,
    message: 'This market has no lender of record yet, so no sale recipient was designated.',
  },
} as const satisfies ErrorTable

export const saleBidConfirmErrors = {
  ...ofMarket,
  ...provable,
  SALE_BID_FAILED: reverted('The bid was mined but failed, so it is as it was.'),
} as const satisfies ErrorTable

export const announceBuildErrors = { ...ofMarket, ...unreadable, ...routerAdmin } as const satisfies ErrorTable

export const rotateBuildErrors = {
  ...ofMarket,
  ...unreadable,
  ...routerAdmin,
  ROTATION_NOT_ANNOUNCED: { status: 409, message: 'No other sale recipient was announced.' },
  ROTATION_TOO_EARLY: {
    status: 409,
    message: 'An announced sale recipient can take over an hour later.',
    extra: Type.Object({ eligibleAt: Instant }),
  },
  LIQUIDATIONS_OPEN: {
    status: 409,
    message: 'The sale recipient changes only while no liquidation of the market is open.',
    extra: Type.Object({ openLiquidations: Type.Integer() }),
  },
} as const satisfies ErrorTable

export const saleRecipientConfirmErrors = { ...ofMarket, ...transactionErrors } as const satisfies ErrorTable
