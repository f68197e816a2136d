import type { RevertTable } from '../../platform/chain/reverts.ts'

/** Settings and extensions. */
export const settingsReverts: RevertTable = {
  InvalidConfig: { code: 'INVALID_CONFIG', message: 'A field of the configuration is out of its range.' },
  ConfigChangeTooLarge: { code: 'CONFIG_CHANGE_TOO_LARGE', message: 'A field may only move in smaller steps.' },
  InvalidTermConfig: { code: 'INVALID_TERM_OFFERING', message: 'A field of the terms is out of its range.' },
  TermsRequiredByFixedRate: {
    code: 'TERMS_REQUIRED_BY_FIXED_RATE',
    message: 'Terms cannot be switched off while rates are fixed.',
  },
  AuctionModuleNotSet: { code: 'AUCTION_MODULE_NOT_SET', message: 'No auction venue is wired.' },
  AuctionUnsupported: {
    code: 'AUCTION_UNSUPPORTED_PRICE_SOURCE',
    message: 'A market with MARKET prices has no auctions.',
  },
  AuctionModuleMismatch: { code: 'MODULE_MARKET_MISMATCH', message: 'The venue belongs to another market.' },
  AuctionsOpen: { code: 'AUCTIONS_OPEN', message: 'The venue cannot be replaced while auctions are open.' },
  RegisterRequired: {
    code: 'IDENTITY_REGISTRY_REQUIRED',
    message: 'A market with MARKET prices needs a register of borrowers.',
  },
  VaultAlreadyRegistered: { code: 'VAULT_ALREADY_REGISTERED', message: 'The vault is registered already.' },
  VaultNotRegistered: { code: 'VAULT_NOT_REGISTERED', message: 'The vault is not registered.' },
  TooManyTerms: {
    code: 'TOO_MANY_TERMS',
    message: 'The settings of this market changed too often for it to keep the terms of another loan.',
  },
  TooManyVaults: { code: 'TOO_MANY_VAULTS', message: 'A market takes at most this many vaults.' },
  VaultAssetMismatch: { code: 'ASSET_MISMATCH', message: 'The vault holds another asset.' },
  InvalidRateOffer: { code: 'INVALID_RATE_OFFERING', message: 'The rate fields do not fit the rate mode.' },
  InvalidCurve: { code: 'INVALID_CURVE', message: 'The curve is not acceptable.' },
  RateAboveMaxFixed: { code: 'RATE_ABOVE_MAX_FIXED', message: 'The rate is above the ceiling of fixed rates.' },
  FixedRateRequiresTerms: {
    code: 'FIXED_RATE_REQUIRES_TERMS',
    message: 'A fixed rate needs a longest duration of loans.',
  },
  MaxFixedRateOnlyDecreases: {
    code: 'MAX_FIXED_RATE_ONLY_DECREASES',
    message: 'The ceiling of fixed rates only falls.',
  },
  MaxFixedRateBelowStamp: {
    code: 'MAX_FIXED_RATE_BELOW_STAMP',
    message: 'The ceiling is below the rate that is stamped now.',
  },
  InvalidMaxPriceAge: { code: 'INVALID_MAX_PRICE_AGE', message: 'The longest age of a price is out of its range.' },
  InvalidMaxDeviation: { code: 'INVALID_MAX_DEVIATION', message: 'The largest deviation is out of its range.' },
  ExtensionNotAllowed: { code: 'EXTENSION_NOT_ALLOWED', message: 'Extensions are switched off on this market.' },
  TermsNotEnabled: { code: 'TERMS_NOT_ENABLED', message: 'The loan or market has no terms.' },
  InvalidExtension: { code: 'INVALID_EXTENSION', message: 'The new date does not push the maturity later.' },
  ExtensionNotFound: { code: 'EXTENSION_NOT_FOUND', message: 'There is no such proposal.' },
  ExtensionConsumed: { code: 'EXTENSION_CONSUMED', message: 'The proposal was applied or cancelled.' },
  ExtensionExpired: { code: 'EXTENSION_EXPIRED', message: 'The proposal was not confirmed within seven days.' },
  ExtensionAlreadyConfirmed: { code: 'EXTENSION_ALREADY_CONFIRMED', message: 'The proposal is confirmed already.' },
  ExtensionNotConfirmed: { code: 'EXTENSION_NOT_CONFIRMED', message: 'The proposal is not confirmed yet.' },
  ExtensionNotBatch: { code: 'EXTENSION_NOT_BATCH', message: 'Only a batch is applied page by page.' },
  ExtensionPageTooLong: { code: 'EXTENSION_PAGE_TOO_LONG', message: 'A page holds at most 200 loans.' },
  ExtensionLoanOutOfScope: { code: 'EXTENSION_LOAN_OUT_OF_SCOPE', message: 'The loan was opened after the proposal.' },
}
