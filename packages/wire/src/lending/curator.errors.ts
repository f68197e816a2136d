import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { ContentHash } from './asset-data.schemas.ts'
import {
  deployedMarketErrors,
  detailsObject,
  factoryErrors,
  marketErrors,
  pendingCuratorErrors,
  transactionErrors,
  unreadableErrors,
  validationErrors,
  walletErrors,
} from './lending.errors.ts'

const fault = (message: string) => ({ status: 500, retry: true, message }) as const

const factoryReadErrors = {
  FACTORY_READ_FAILED: { status: 503, retry: true, message: 'The lending factory could not be read. Try again.' },
} as const satisfies ErrorTable

const queueReadErrors = {
  ...factoryErrors,
  ...factoryReadErrors,
  FACTORY_UNREADABLE: {
    status: 503,
    message: 'The contract that is recorded as the lending factory does not answer as one.',
  },
} as const satisfies ErrorTable

export const pendingErrors = {
  ...queueReadErrors,
  PENDING_FAILED: fault('The markets that seek a lender could not be listed. This is not an empty list.'),
} as const satisfies ErrorTable

export const queuedErrors = {
  ...queueReadErrors,
  QUEUE_FAILED: fault('Your queue could not be listed. This is not an empty list.'),
} as const satisfies ErrorTable

/** Routes that name a market by its address, for instances that have no record of it yet. */
const addressedErrors = {
  ...validationErrors,
  ...factoryErrors,
  MARKET_NOT_V2: { status: 404, message: 'The lending factory of your chain did not deploy this market.' },
} as const satisfies ErrorTable

const verificationErrors = {
  MARKET_VERIFICATION_UNAVAILABLE: {
    status: 503,
    retry: true,
    message: 'The market could not be checked against its factory. Try again.',
  },
} as const satisfies ErrorTable

const approvalErrors = {
  CURATOR_NOT_APPROVED: {
    status: 403,
    message: 'Your instance is not approved as a lender. Ask the operator of this deployment.',
  },
} as const satisfies ErrorTable

const nomineeErrors = {
  NOT_NOMINATED: {
    status: 403,
    message: 'No verified wallet of your instance is nominated for this market, and it is not open to others.',
  },
} as const satisfies ErrorTable

export const queueDetailsErrors = {
  ...addressedErrors,
  ...verificationErrors,
  ...approvalErrors,
  ...nomineeErrors,
  ...walletErrors,
  QUEUE_DETAILS_FAILED: fault('The market could not be shown.'),
} as const satisfies ErrorTable

export const nominationsErrors = { ...deployedMarketErrors, ...factoryReadErrors } as const satisfies ErrorTable

const nominationBuildErrors = {
  ...validationErrors,
  ...nominationsErrors,
  ...walletErrors,
  DEPLOYER_NOT_AUTHORIZED: {
    status: 403,
    message: 'Only the wallet that deployed the market, or the owner of the factory, nominates.',
  },
  NOT_SEEKING_CURATOR: { status: 409, message: 'The market has its lender of record, and that is final.' },
} as const satisfies ErrorTable

export const nominateErrors = {
  ...nominationBuildErrors,
  ALREADY_NOMINATED: { status: 409, message: 'The candidate is nominated already.' },
} as const satisfies ErrorTable

export const withdrawErrors = {
  ...nominationBuildErrors,
  NOT_NOMINATED: { status: 409, message: 'The candidate is not nominated.' },
} as const satisfies ErrorTable

export const confirmOnMarketErrors = {
  ...validationErrors,
  ...deployedMarketErrors,
  ...transactionErrors,
} as const satisfies ErrorTable

const standing = { standing: ContentHash, standingVersion: Type.Integer() } as const

export const acceptErrors = {
  ...addressedErrors,
  ...verificationErrors,
  ...approvalErrors,
  ...nomineeErrors,
  ...walletErrors,
  INVALID_CURATOR_TERMS: {
    status: 400,
    message: 'An address of the terms is missing, zero or has a wrong checksum.',
  },
  INVALID_REALIZATION_MODE: {
    status: 400,
    message: 'realizationMode is EXCHANGE_SALE, ISSUER_REDEMPTION or AUCTION.',
  },
  INVALID_LIQUIDITY_COMMITMENT: {
    status: 400,
    message: 'liquidityCommitment is a decimal that is not finer than the borrow asset.',
  },
  INVALID_CONTENT_HASH: { status: 400, message: 'assetDataHash is 0x and 64 hex digits, and not zero.' },
  NOMINATION_REQUIRED: {
    status: 403,
    message: 'The market is open, but has no borrower register to check claimants against: only nominees adopt it.',
  },
  CANDIDATE_NOT_VERIFIED: {
    status: 403,
    message: 'The borrower register of the market verifies no wallet of your instance.',
  },
  VAULT_NOT_FOUND: { status: 404, message: 'There is no vault at this address.' },
  NOT_SEEKING_CURATOR: { status: 409, message: 'The market has its lender of record, and that is final.' },
  REALIZATION_MODE_UNAVAILABLE: { status: 409, message: 'A market with MARKET prices is not realized by auction.' },
  REALIZATION_BASIS_UNAVAILABLE: { status: 409, message: 'EXCHANGE_SALE needs a market with MARKET prices.' },
  ASSET_MISMATCH: { status: 409, message: 'The vault holds another asset than the market lends.' },
  VAULT_NOT_OPERATORS: { status: 409, message: 'The vault is not operated by the wallet that adopts the market.' },
  ASSET_DATA_NONE: { status: 409, message: 'Nothing is attested for this market, so nothing can be acknowledged.' },
  ASSET_DATA_STALE: {
    status: 409,
    message: 'Another bundle than the one you reviewed stands now. Review it first.',
    extra: detailsObject({ reviewed: ContentHash, ...standing, attestedAt: Type.String() }),
  },
  CLAIM_PENDING: {
    status: 409,
    message: 'The claim has not matured yet.',
    extra: detailsObject({ maturesAt: Type.Integer() }),
  },
  CLAIM_EXPIRED: {
    status: 409,
    message: 'The claim was not completed in time. Leave claimSalt out to make a new one.',
    extra: detailsObject({ expiredAt: Type.Integer() }),
  },
  IDENTITY_REGISTRY_INCOMPATIBLE: { status: 422, message: 'The register does not answer isVerified(address).' },
  SALE_RECIPIENT_NOT_ELIGIBLE: {
    status: 422,
    message: 'The register of the collateral token does not let saleRecipient hold it, so nothing could be sold.',
  },
  ASSET_DATA_ACKNOWLEDGEMENT_REQUIRED: {
    status: 422,
    message: 'Asset data is attested: send the hash you reviewed as assetDataHash, or acknowledgeAssetData false.',
    extra: detailsObject(standing),
  },
} as const satisfies ErrorTable

export const confirmAcceptErrors = {
  ...addressedErrors,
  ...approvalErrors,
  ...transactionErrors,
  ACCEPT_NOT_INSTANCE_BOUND: { status: 403, message: 'No verified wallet of your instance adopted this market.' },
  DEPLOYMENT_UNREADABLE: { status: 503, retry: true, message: 'The adopted market could not be read. Try again.' },
} as const satisfies ErrorTable

export const operatorErrors = { ...marketErrors, ...unreadableErrors } as const satisfies ErrorTable

export const operatorWalletErrors = {
  ...validationErrors,
  ...deployedMarketErrors,
  ...unreadableErrors,
  INVALID_WALLET: { status: 400, message: 'newRecipient is the zero address or has a wrong checksum.' },
  WALLET_NOT_VERIFIED: { status: 403, message: 'newRecipient is not a verified wallet of your instance.' },
  NOT_OPERATOR_INSTANCE: { status: 403, message: 'The operator wallet of this market belongs to somebody else.' },
  NOT_OPERATOR_WALLET: { status: 403, message: 'Only the operator wallet itself names its successor.' },
  MARKET_NOT_ADOPTED: { status: 409, message: 'The market has no lender of record yet, so it has no operator wallet.' },
  WALLET_UNCHANGED: { status: 409, message: 'newRecipient is the operator wallet already.' },
} as const satisfies ErrorTable

const addressErrors = {
  INVALID_ADDRESS: { status: 400, message: 'address is not an address, or has a wrong checksum.' },
} as const satisfies ErrorTable

export const roleBuildErrors = {
  ...validationErrors,
  ...deployedMarketErrors,
  ...addressErrors,
  ...pendingCuratorErrors,
  ...unreadableErrors,
} as const satisfies ErrorTable

export const accessRoleBuildErrors = {
  ...roleBuildErrors,
  ORACLE_OWNER_SIGNS: {
    status: 400,
    message: 'The owner of the oracle signs prices by owning it: transfer the ownership instead.',
  },
} as const satisfies ErrorTable

export const roleConfirmErrors = { ...confirmOnMarketErrors, ...addressErrors } as const satisfies ErrorTable

export const roleReadErrors = {
  ...deployedMarketErrors,
  ...addressErrors,
  UNKNOWN_ROLE: { status: 400, message: 'role is none of the roles of a market.' },
} as const satisfies ErrorTable
