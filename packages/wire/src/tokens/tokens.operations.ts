import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Address, Instant, LowercaseAddress, Nullable, OneOf } from '../primitives.ts'
import {
  assetTypes,
  Detection,
  ImportDetails,
  ImportedToken,
  ImportRecord,
  Profile,
  RefreshedImport,
} from './import.schemas.ts'
import { detectionErrors, imageErrors, importLookupErrors } from './tokens.errors.ts'

const tokens = { feature: 'tokens', service: 'external-tokens' } as const
const TokenPath = Type.Object({ tokenAddress: Address })
const addressCode = { tokenAddress: 'INVALID_ADDRESS' } as const

export const listImports = defineOperation({
  ...tokens,
  id: 'listImports',
  method: 'GET',
  path: '/external-tokens/api/list',
  scope: 'tokens:read',
  summary: 'List imports',
  description: 'Every active import of the instance, newest first, unpaginated; at most 200.',
  fault: 'FETCH_FAILED',
  legs: {
    read: {
      data: Type.Array(ImportRecord),
      errors: {
        FETCH_FAILED: {
          status: 500,
          retry: true,
          message: 'The imports could not be read. This is not an empty list.',
        },
      },
    },
  },
})

export const detectToken = defineOperation({
  ...tokens,
  id: 'detectToken',
  method: 'POST',
  path: '/external-tokens/api/detect',
  scope: 'tokens:read',
  summary: 'Detect a token',
  description: 'Reads a contract and tells which framework it implements. Writes nothing.',
  body: Type.Object({ tokenAddress: Address }, { additionalProperties: false }),
  fieldCodes: addressCode,
  unreadable: 'PROVIDER_UNAVAILABLE',
  legs: { read: { data: Detection, errors: { ...validationErrors, ...detectionErrors } } },
})

export const importToken = defineOperation({
  ...tokens,
  id: 'importToken',
  method: 'POST',
  path: '/external-tokens/api/import',
  scope: 'tokens:write',
  summary: 'Import a token',
  description: 'Detects again and stores what the contract says. At most 200 active imports per instance.',
  body: Type.Object(
    {
      tokenAddress: Address,
      assetType: OneOf(assetTypes),
      imageURI: Type.Optional(Type.String({ maxLength: 1024, description: 'https or ipfs; omitted or empty: none.' })),
    },
    { additionalProperties: false },
  ),
  fieldCodes: { ...addressCode, assetType: 'INVALID_ASSET_TYPE', imageURI: 'INVALID_IMAGE_URI' },
  unreadable: 'PROVIDER_UNAVAILABLE',
  legs: {
    write: {
      data: ImportedToken,
      errors: {
        ...validationErrors,
        ...detectionErrors,
        ...imageErrors,
        INVALID_ASSET_TYPE: { status: 400, message: `assetType must be one of ${assetTypes.join(', ')}.` },
        ALREADY_IMPORTED: { status: 400, message: 'Your instance has an active import of this token.' },
        IMPORT_LIMIT_REACHED: { status: 400, message: 'Your instance holds 200 active imports. Revoke one first.' },
      },
    },
  },
})

export const getImport = defineOperation({
  ...tokens,
  id: 'getImport',
  method: 'GET',
  path: '/external-tokens/api/{tokenAddress}',
  scope: 'tokens:read',
  summary: 'Get an import',
  description: 'One active import with its published profile and the evidence of its detection, call by call.',
  params: TokenPath,
  fieldCodes: addressCode,
  fault: 'IMPORT_LOOKUP_FAILED',
  legs: { read: { data: ImportDetails, errors: importLookupErrors } },
})

export const refreshImport = defineOperation({
  ...tokens,
  id: 'refreshImport',
  method: 'POST',
  path: '/external-tokens/api/{tokenAddress}/refresh',
  scope: 'tokens:write',
  summary: 'Refresh an import',
  description: 'Reads the contract again and rewrites the chain half of the record, unless the framework changed.',
  params: TokenPath,
  fieldCodes: addressCode,
  fault: 'IMPORT_LOOKUP_FAILED',
  unreadable: 'PROVIDER_UNAVAILABLE',
  legs: {
    write: { data: RefreshedImport, errors: { ...validationErrors, ...detectionErrors, ...importLookupErrors } },
  },
})

export const setProfile = defineOperation({
  ...tokens,
  id: 'setProfile',
  method: 'PUT',
  path: '/external-tokens/api/{tokenAddress}/profile',
  scope: 'tokens:write',
  summary: 'Publish the profile',
  description: 'Replaces the whole profile; an omitted or empty field is cleared, `null` clears all.',
  params: TokenPath,
  largestBody: 128 * 1024,
  body: Type.Object({ profile: Nullable(Profile) }, { additionalProperties: false }),
  fieldCodes: { ...addressCode, profile: 'INVALID_PROFILE' },
  fault: 'IMPORT_LOOKUP_FAILED',
  legs: {
    write: {
      data: Type.Object(
        { tokenAddress: LowercaseAddress, profile: Nullable(Profile), updatedAt: Instant },
        { additionalProperties: false },
      ),
      errors: {
        ...validationErrors,
        ...importLookupErrors,
        INVALID_PROFILE: {
          ...validationErrors.VALIDATION_ERROR,
          message: 'A profile field is not acceptable; details say which.',
        },
      },
    },
  },
})

export const setImage = defineOperation({
  ...tokens,
  id: 'setImage',
  method: 'PUT',
  path: '/external-tokens/api/{tokenAddress}/image',
  scope: 'tokens:write',
  summary: 'Set the image',
  description: '`null` clears it; an empty string is refused.',
  params: TokenPath,
  body: Type.Object(
    { imageURI: Nullable(Type.String({ minLength: 1, maxLength: 1024 })) },
    { additionalProperties: false },
  ),
  fieldCodes: { ...addressCode, imageURI: 'INVALID_IMAGE_URI' },
  fault: 'IMPORT_LOOKUP_FAILED',
  legs: {
    write: {
      data: Type.Object(
        { tokenAddress: LowercaseAddress, imageURI: Nullable(Type.String()), updatedAt: Instant },
        { additionalProperties: false },
      ),
      errors: { ...validationErrors, ...importLookupErrors, ...imageErrors },
    },
  },
})

export const revokeImport = defineOperation({
  ...tokens,
  id: 'revokeImport',
  method: 'DELETE',
  path: '/external-tokens/api/{tokenAddress}',
  scope: 'tokens:write',
  summary: 'Revoke an import',
  description: 'The record leaves the list. Markets on the token go on; importing it again starts afresh.',
  params: TokenPath,
  fieldCodes: addressCode,
  fault: 'IMPORT_LOOKUP_FAILED',
  legs: {
    write: {
      data: Type.Object({ removed: Type.Literal(true) }, { additionalProperties: false }),
      errors: { ...validationErrors, ...importLookupErrors },
    },
  },
})
