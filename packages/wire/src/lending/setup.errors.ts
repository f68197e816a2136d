import { Type } from 'typebox'
import { fieldDetails } from '../common.errors.ts'
import type { ErrorTable } from '../operation.ts'
import {
  deployedMarketErrors,
  pendingCuratorErrors,
  transactionErrors,
  unreadableErrors,
  walletErrors,
} from './lending.errors.ts'

export const actionErrors = {
  UNSUPPORTED_CONFIGURE_ACTION: {
    status: 400,
    message: 'There is no such action.',
    extra: Type.Object({ supportedActions: Type.Array(Type.String()) }),
  },
} as const satisfies ErrorTable

export const configureErrors = {
  ...deployedMarketErrors,
  ...unreadableErrors,
  ...actionErrors,
  ...pendingCuratorErrors,
  ...walletErrors,
  NOT_CUSTODY_MODE: {
    status: 400,
    message: 'The collateral stays with its holder in this market, so the adapter never holds any.',
  },
  ACTION_NOT_APPLICABLE: { status: 400, message: 'The collateral token of this market does not ask for that.' },
  AUCTION_MODULE_NOT_SET: { status: 409, message: 'The market has no auction venue yet. Wire one first.' },
  TOKEN_NOT_FREEZE_COMPATIBLE: { status: 400, message: 'The collateral token cannot freeze part of a balance.' },
  INVALID_IDENTITY_ADDRESS: { status: 400, message: 'identityAddress is not a valid address.' },
  INVALID_COUNTRY: { status: 400, message: 'country must be a whole number of 0 to 65535.' },
  ONCHAINID_REQUIRED: {
    status: 400,
    message: 'The register asks for claims: name the identity contract that carries them as identityAddress.',
  },
  IDENTITY_CLAIMS_REQUIRED: {
    status: 400,
    message: 'The contract is registered, but its identity lacks a claim that the register asks for.',
  },
  IDENTITY_REGISTRY_UNRECOGNISED: {
    status: 400,
    message: 'The register does not say whether the contract is verified, so nothing can be built for it.',
  },
  ONCHAINID_INVALID: { status: 400, message: 'What stands at identityAddress does not answer as an identity.' },
  ONCHAINID_CLAIMS_MISSING: {
    status: 400,
    message: 'The identity holds no claim on a topic that the register asks for.',
  },
} as const satisfies ErrorTable

export const confirmConfigurationErrors = {
  ...deployedMarketErrors,
  ...actionErrors,
  ...transactionErrors,
} as const satisfies ErrorTable

export const configBuildErrors = {
  ...deployedMarketErrors,
  ...pendingCuratorErrors,
  ...unreadableErrors,
  INVALID_CONFIG: {
    status: 400,
    message: 'The configuration is outside of what the market takes.',
    extra: fieldDetails,
  },
  CONFIG_CHANGE_TOO_LARGE: {
    status: 400,
    message: 'The liquidation threshold moves by at most 1000 bps per call.',
  },
  AUCTION_UNSUPPORTED_PRICE_SOURCE: {
    status: 400,
    message: 'A market with MARKET prices sells at once and holds no auctions.',
  },
  AUCTION_MODULE_NOT_SET: { status: 409, message: 'Auctions need a venue. Wire one first.' },
  AUCTION_VENUE_NOT_ADMITTED: {
    status: 409,
    message: 'The collateral token does not admit the auction venue as a holder, so a seizure would fail.',
  },
} as const satisfies ErrorTable

export const pauseBuildErrors = {
  ...deployedMarketErrors,
  ...pendingCuratorErrors,
  ...unreadableErrors,
} as const satisfies ErrorTable

export const settingConfirmErrors = { ...deployedMarketErrors, ...transactionErrors } as const satisfies ErrorTable
