import { Type } from 'typebox'
import type { ErrorTable } from '../operation.ts'
import { LowercaseAddress, OneOf } from '../primitives.ts'
import { ContentHash } from './asset-data.schemas.ts'
import { detailsObject, factoryErrors, transactionErrors, unreadableErrors } from './lending.errors.ts'
import { borrowAssetErrors, profileErrors } from './markets.errors.ts'

/** Told by the first rule that failed: these routes give no list. */
const plainValidationErrors = {
  VALIDATION_ERROR: { status: 400, message: 'The request is not of the form this route takes.' },
} as const satisfies ErrorTable

const factoryReadErrors = {
  FACTORY_READ_FAILED: { status: 503, retry: true, message: 'The lending factory could not be read. Try again.' },
} as const satisfies ErrorTable

/** Every route that names a market by its address: who may ask about it, and what if nobody can tell. */
const accessErrors = {
  ...plainValidationErrors,
  ...factoryErrors,
  ...factoryReadErrors,
  MARKET_NOT_DEPLOYED: {
    status: 404,
    message: 'The factory has no deployment at this address that your instance deployed, adopted or may take over.',
  },
} as const satisfies ErrorTable

const supportErrors = {
  FACTORY_UPGRADE_REQUIRED: {
    status: 409,
    message: 'The implementation of the lending factory predates attestation. Its owner has to upgrade it first.',
  },
} as const satisfies ErrorTable

const fault = (message: string) => ({ status: 500, retry: true, message }) as const

export const previewErrors = {
  ...plainValidationErrors,
  ...factoryErrors,
  ...borrowAssetErrors,
  ...profileErrors,
  ...factoryReadErrors,
  ASSET_DATA_PREVIEW_FAILED: fault('The asset data could not be previewed.'),
} as const satisfies ErrorTable

export const readErrors = {
  ...accessErrors,
  ASSET_DATA_READ_FAILED: fault('The asset data could not be read. This does not mean that there is none.'),
} as const satisfies ErrorTable

export const bundleErrors = {
  ...accessErrors,
  ...supportErrors,
  ASSET_DATA_NONE: { status: 404, message: 'Nothing is attested for this market, and you named no hash.' },
  SNAPSHOT_NOT_FOUND: { status: 404, message: 'The bytes behind this hash were never built here for this market.' },
  SNAPSHOT_CORRUPT: {
    status: 409,
    message: 'The stored bytes do not hash to this content hash any more, so they are not served.',
  },
  ASSET_DATA_BUNDLE_FAILED: fault('The bundle could not be read.'),
} as const satisfies ErrorTable

export const attestErrors = {
  ...accessErrors,
  ...supportErrors,
  ...profileErrors,
  ...unreadableErrors,
  NOT_ATTESTOR: {
    status: 403,
    message: 'No verified wallet of your instance is the attestor of this market.',
    extra: detailsObject({ attestor: LowercaseAddress, role: OneOf(['DEPLOYER', 'ISSUER']) }),
  },
  ATTESTOR_UNRECORDED: { status: 409, message: 'The factory records nobody who could attest for this market.' },
  ATTESTATION_CURRENT: {
    status: 409,
    message: 'The standing attestation says exactly what the token and its profile say now.',
    extra: detailsObject({ contentHash: ContentHash, version: Type.Integer() }),
  },
  ATTEST_BUILD_FAILED: fault('The attestation could not be built.'),
} as const satisfies ErrorTable

export const confirmAttestationErrors = {
  ...accessErrors,
  ...transactionErrors,
  ATTEST_NOT_INSTANCE_BOUND: { status: 403, message: 'No verified wallet of your instance made this attestation.' },
  ATTEST_CONFIRM_FAILED: fault('The attestation could not be confirmed.'),
} as const satisfies ErrorTable

export const acknowledgeErrors = {
  ...accessErrors,
  ...supportErrors,
  INVALID_CONTENT_HASH: { status: 400, message: 'contentHash is zero, which stands for no attestation.' },
  NOT_ACKNOWLEDGER: {
    status: 403,
    message: 'No verified wallet of your instance is the lender of record or its admin.',
    extra: detailsObject({ acknowledgers: Type.Array(LowercaseAddress) }),
  },
  ASSET_DATA_NONE: { status: 409, message: 'Nothing is attested for this market, so nothing can be acknowledged.' },
  ASSET_DATA_STALE: {
    status: 409,
    message: 'Another bundle than the one you reviewed stands now. Review it first.',
    extra: detailsObject({
      reviewed: ContentHash,
      standing: ContentHash,
      standingVersion: Type.Integer(),
      attestedAt: Type.String(),
    }),
  },
  ACKNOWLEDGEMENT_CURRENT: { status: 409, message: 'This version is acknowledged already.' },
  NOT_ADOPTED: { status: 409, message: 'The market has no lender of record yet who could acknowledge anything.' },
  ACKNOWLEDGE_BUILD_FAILED: fault('The acknowledgement could not be built.'),
} as const satisfies ErrorTable

export const confirmAcknowledgementErrors = {
  ...accessErrors,
  ...transactionErrors,
  ACK_NOT_INSTANCE_BOUND: { status: 403, message: 'No verified wallet of your instance made this acknowledgement.' },
  ACKNOWLEDGE_CONFIRM_FAILED: fault('The acknowledgement could not be confirmed.'),
} as const satisfies ErrorTable
