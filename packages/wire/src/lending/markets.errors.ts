import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { LowercaseAddress, Nullable } from '../primitives.ts'
import { detailsObject, factoryErrors, transactionErrors, validationErrors, walletErrors } from './lending.errors.ts'

/** What the collateral must be before anything is said about it. */
export const profileErrors = {
  TOKEN_PROFILE_REQUIRED: {
    status: 422,
    message: 'Publish a profile of the collateral token first: at least one field that says something.',
    extra: detailsObject({
      field: Type.Literal('profile'),
      tokenAddress: LowercaseAddress,
      imported: Type.Boolean(),
      editProfile: Nullable(Type.String()),
    }),
  },
  INVALID_ASSET_DATA: { status: 400, message: 'A stored fact or profile field cannot enter the asset data.' },
} as const satisfies ErrorTable

export const borrowAssetErrors = {
  INVALID_BORROW_ASSET: { status: 400, message: 'borrowAssetAddress is not a valid address.' },
  BORROW_ASSET_NOT_CONTRACT: { status: 400, message: 'There is no contract at borrowAssetAddress.' },
  BORROW_ASSET_NOT_ERC20: { status: 400, message: 'The contract at borrowAssetAddress does not answer as an ERC-20.' },
  BORROW_ASSET_DECIMALS_UNSUPPORTED: { status: 400, message: 'The borrow asset must have 6 to 18 decimals.' },
} as const satisfies ErrorTable

/** On the prefix for stocks only. */
const stockSurfaceErrors = {
  NOT_A_STOCK_TOKEN: {
    status: 400,
    message:
      'The collateral is no stock token of this deployment. The prefixes for external securities take every other token.',
  },
} as const satisfies ErrorTable

export const deployBuildErrors = {
  ...validationErrors,
  ...factoryErrors,
  ...walletErrors,
  ...profileErrors,
  ...borrowAssetErrors,
  ...stockSurfaceErrors,
  OPERATOR_SHARE_FIXED: { status: 400, message: 'The operator share is fixed at 800 bps; leave operatorShareBps out.' },
  TOKEN_NOT_IMPORTED: { status: 400, message: 'Your instance has no active import of the collateral token.' },
  BORROW_ASSET_IS_COLLATERAL: { status: 400, message: 'A token cannot be borrowed against itself.' },
  COLLATERAL_TOKEN_NOT_CONTRACT: { status: 400, message: 'There is no contract at collateralTokenAddress any more.' },
  COLLATERAL_TOKEN_NOT_ERC20: {
    status: 400,
    message: 'The collateral token does not answer balanceOf, so amounts of it cannot be pledged.',
  },
  FREEZE_MODE_UNSUPPORTED_TOKEN: {
    status: 400,
    message: 'The collateral token cannot freeze part of a balance. Use CUSTODY.',
  },
  INVALID_IDENTITY_REGISTRY: { status: 400, message: 'identityRegistry or providerRegistry is not a valid address.' },
  INVALID_INITIAL_PRICE: {
    status: 400,
    message: 'initialPrice must be a positive decimal with no more decimals than the borrow asset.',
  },
  INVALID_RATE_OFFERING: { status: 400, message: 'The rate fields do not fit the rate mode.' },
  INVALID_TERM_OFFERING: { status: 400, message: 'The term fields do not fit each other.' },
  RATE_ABOVE_CREATOR_CEILING: { status: 400, message: 'The rate is above what the factory lets a creator offer.' },
  MARKET_EXISTS: {
    status: 409,
    message: 'Your instance has an active market with this token, mode and borrow asset.',
    extra: Type.Object({
      action: Type.Literal('USE_EXISTING_MARKET'),
      marketId: Type.String(),
      archiveWith: Type.String(),
    }),
  },
  IDENTITY_REGISTRY_REQUIRED: { status: 422, message: 'A market with MARKET prices needs a register of borrowers.' },
  IDENTITY_REGISTRY_INCOMPATIBLE: { status: 422, message: 'The register does not answer isVerified(address).' },
  FACTORY_READ_FAILED: { status: 503, retry: true, message: 'The lending factory could not be read. Try again.' },
} as const satisfies ErrorTable

export const deployConfirmErrors = {
  ...validationErrors,
  ...factoryErrors,
  ...transactionErrors,
  ...stockSurfaceErrors,
  TX_WRONG_ARGS: { status: 400, message: 'The transaction deployed another market than the one you name.' },
  DEPLOYMENT_NOT_INSTANCE_BOUND: { status: 403, message: 'No verified wallet of your instance deployed this market.' },
  MARKET_EXISTS: deployBuildErrors.MARKET_EXISTS,
  DEPLOYMENT_UNREADABLE: { status: 503, retry: true, message: 'The new market could not be read. Try again.' },
} as const satisfies ErrorTable
