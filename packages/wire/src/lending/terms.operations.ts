import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Nullable, OneOf } from '../primitives.ts'
import { deployedMarketErrors } from './lending.errors.ts'
import { Body, Data, lendingPath, MarketPath, marketIdCode } from './lending.operation.ts'
import { authorErrors, contentErrors, unpublishedErrors, versionErrors } from './terms.errors.ts'
import { Terms, TermsVersion, termsFormats } from './terms.schemas.ts'

const ofMarket = { params: MarketPath, fieldCodes: marketIdCode } as const
const Format = Type.Object({ format: Type.Optional(OneOf(termsFormats)) })
const authority = OneOf(['CURATOR', 'MARKET_ADMIN', 'MARKET_ISSUER'], {
  description: 'What made the wallet an author.',
})

export const getTerms = defineOperation({
  ...lendingPath('/markets/{marketId}/terms'),
  ...ofMarket,
  id: 'getTerms',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get the terms of use',
  description: 'The terms that are in force: what the lender of record published for the market.',
  query: Format,
  legs: {
    read: {
      data: Data({ terms: Terms }),
      errors: { ...validationErrors, ...deployedMarketErrors, ...unpublishedErrors },
    },
  },
})

export const putTerms = defineOperation({
  ...lendingPath('/markets/{marketId}/terms'),
  ...ofMarket,
  id: 'putTerms',
  method: 'PUT',
  scope: 'lending:write',
  summary: 'Save the terms of use',
  description:
    'Saves a new version, unless the newest one says the same already, and puts it in force unless `published` is false. For the lender of record, the market admin or the issuer.',
  largestBody: 1024 * 1024,
  body: Body({
    content: Type.String({ description: 'Markdown, at most 262,144 characters and bytes.' }),
    title: Type.Optional(Nullable(Type.String({ description: 'At most 200 characters.' }))),
    published: Type.Optional(Type.Boolean()),
    providesForExtensions: Type.Optional(
      Type.Boolean({ description: 'Whether maturities may be extended under these terms. Default false.' }),
    ),
  }),
  textCodes: { content: 'INVALID_TERMS_CONTENT', title: 'INVALID_TERMS_TITLE' },
  unreadable: 'MARKET_UNREADABLE',
  legs: {
    write: {
      data: Data({
        terms: Terms,
        changed: Type.Boolean({ description: 'False: what you sent is what stood already.' }),
        authority,
        liveVersion: Nullable(Type.Integer({ description: 'The version in force; null: none.' })),
        notice: Nullable(Type.String()),
      }),
      errors: { ...validationErrors, ...deployedMarketErrors, ...authorErrors, ...contentErrors },
    },
  },
})

export const deleteTerms = defineOperation({
  ...lendingPath('/markets/{marketId}/terms'),
  ...ofMarket,
  id: 'deleteTerms',
  method: 'DELETE',
  scope: 'lending:write',
  summary: 'Withdraw the terms of use',
  description: 'No version is in force afterwards; all of them stay readable.',
  unreadable: 'MARKET_UNREADABLE',
  legs: {
    write: {
      data: Data({ unpublished: Type.Boolean({ description: 'False: none was in force.' }), authority }),
      errors: { ...deployedMarketErrors, ...authorErrors },
    },
  },
})

export const listTermsVersions = defineOperation({
  ...lendingPath('/markets/{marketId}/terms/versions'),
  ...ofMarket,
  id: 'listTermsVersions',
  method: 'GET',
  scope: 'lending:read',
  summary: 'List the versions of the terms of use',
  description: 'Newest first, drafts included. `limit` is 25 by default, at most 100; `cursor` goes on.',
  query: Type.Object({ limit: Type.Optional(Type.String()), cursor: Type.Optional(Type.String()) }),
  legs: {
    read: {
      data: Data({
        versions: Type.Array(TermsVersion),
        current: Nullable(Type.Integer({ description: 'The version in force.' })),
        limit: Type.Integer(),
        nextCursor: Nullable(Type.String()),
      }),
      errors: { ...validationErrors, ...deployedMarketErrors },
    },
  },
})

export const getTermsVersion = defineOperation({
  ...lendingPath('/markets/{marketId}/terms/versions/{version}'),
  ...ofMarket,
  id: 'getTermsVersion',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Get a version of the terms of use',
  description: 'Any version, in force or not, by its number.',
  params: Type.Object({ ...MarketPath.properties, version: Type.String({ pattern: '^[0-9]{1,6}$' }) }),
  query: Format,
  legs: {
    read: {
      data: Data({ terms: Terms }),
      errors: { ...validationErrors, ...deployedMarketErrors, ...versionErrors },
    },
  },
})

export const exportTerms = defineOperation({
  ...lendingPath('/markets/{marketId}/terms/export'),
  ...ofMarket,
  id: 'exportTerms',
  method: 'GET',
  scope: 'lending:read',
  summary: 'Export the terms of use',
  description:
    'The terms in force as a file; while none are, their authors get the newest draft. `markdown` is the exact text that was hashed.',
  query: Type.Object({ format: Type.Optional(OneOf(['pdf', 'text', 'markdown'])) }),
  unreadable: 'MARKET_UNREADABLE',
  files: ['application/pdf', 'text/plain', 'text/markdown'],
  legs: {
    read: {
      data: Type.Null(),
      errors: {
        ...validationErrors,
        ...deployedMarketErrors,
        ...unpublishedErrors,
        MARKET_UNREADABLE: authorErrors.MARKET_UNREADABLE,
      },
    },
  },
})
