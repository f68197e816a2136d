import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { DecimalString, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import {
  deployedMarketErrors,
  detailsObject,
  pendingCuratorErrors,
  transactionErrors,
  unreadableErrors,
  validationErrors,
} from './lending.errors.ts'
import { loanErrors, openLoanErrors, signedPriceErrors, stalePriceErrors } from './positions.errors.ts'

const base = { ...deployedMarketErrors, ...validationErrors, ...unreadableErrors } as const satisfies ErrorTable

/** What the collateral token can stand in the way of. */
const pledgeErrors = {
  COLLATERAL_ADAPTER_NOT_AUTHORIZED: {
    status: 400,
    message: 'The collateral token does not let the adapter of this market work yet. See the setup steps.',
    extra: detailsObject({
      adapterAddress: LowercaseAddress,
      requirement: OneOf(['TOKEN_AGENT', 'VERIFIED_HOLDER', 'AUTHORIZED_CONTRACT']),
    }),
  },
  SUPPLY_CAP_EXCEEDED: { status: 400, message: 'The market takes no more collateral.' },
  USER_SUPPLY_CAP_EXCEEDED: { status: 400, message: 'The market takes no more collateral of this borrower.' },
  INSUFFICIENT_FREE_COLLATERAL: {
    status: 400,
    message: 'The holder has less collateral that is not frozen.',
    extra: detailsObject({
      holder: LowercaseAddress,
      balance: DecimalString,
      frozen: DecimalString,
      free: DecimalString,
    }),
  },
  COLLATERAL_TRANSFER_RESTRICTED: {
    status: 400,
    message: 'The collateral token refuses the transfer to the adapter.',
    extra: detailsObject({ holder: LowercaseAddress, adapterAddress: LowercaseAddress, reason: Type.String() }),
  },
} as const satisfies ErrorTable

const refusedByRegister = detailsObject({ register: LowercaseAddress, account: LowercaseAddress })

export const openLoanBuildErrors = {
  ...base,
  ...pendingCuratorErrors,
  ...pledgeErrors,
  ...signedPriceErrors,
  ...stalePriceErrors,
  BORROWER_ADDRESS_REQUIRED: { status: 400, message: 'Name the wallet that borrows and signs as borrowerAddress.' },
  INVALID_PAY_TO_ADDRESS: { status: 400, message: 'payToAddress is no address, or its checksum is wrong.' },
  PAY_TO_NOT_ALLOWED: {
    status: 400,
    message: 'Money that is paid to a contract of the market would be nobody’s.',
    extra: Type.Object({
      reason: OneOf([
        'MARKET',
        'ROUTER',
        'ADAPTER',
        'AUCTION_MODULE',
        'INSURANCE_FUND',
        'SETTLEMENT_TOKEN',
        'COLLATERAL_TOKEN',
        'ORACLE',
        'INTEREST_MODEL',
        'VAULT',
      ]),
    }),
  },
  PAYEE_NOT_VERIFIED: {
    status: 400,
    message: 'The borrower register of the market does not verify the payee.',
    extra: refusedByRegister,
  },
  IDENTITY_NOT_VERIFIED: {
    status: 400,
    message: 'The borrower register of the market does not verify the borrower.',
    extra: refusedByRegister,
  },
  MARKET_PAUSED: { status: 400, message: 'The market is paused: nothing is lent.' },
  BELOW_MIN_BORROW: { status: 400, message: 'The loan would be smaller than the market allows.' },
  EXCEEDS_MAX_BORROW: { status: 400, message: 'The collateral does not carry that much debt.' },
  INSUFFICIENT_LIQUIDITY: { status: 400, message: 'Pool and vaults have less to lend.' },
  MARKET_TERM_EXPIRED: { status: 409, message: 'The last day of the market has passed: it opens no more loans.' },
} as const satisfies ErrorTable

/** No preflight: what the chain would refuse, the simulation tells. */
export const borrowMoreBuildErrors = { ...base, ...pendingCuratorErrors, ...loanErrors } as const satisfies ErrorTable

export const addCollateralBuildErrors = { ...base, ...openLoanErrors, ...pledgeErrors } as const satisfies ErrorTable

export const withdrawCollateralBuildErrors = {
  ...base,
  ...openLoanErrors,
  ...signedPriceErrors,
  ...stalePriceErrors,
  INSUFFICIENT_COLLATERAL: { status: 400, message: 'The loan holds less collateral than that.' },
  WOULD_BREACH_HEALTH_FACTOR: {
    status: 400,
    message: 'What is left would not carry the debt at the collateral factor.',
    extra: detailsObject({ debt: DecimalString, maxBorrow: DecimalString, healthFactor: Nullable(DecimalString) }),
  },
} as const satisfies ErrorTable

export const loanConfirmErrors = {
  ...deployedMarketErrors,
  ...validationErrors,
  ...transactionErrors,
} as const satisfies ErrorTable
