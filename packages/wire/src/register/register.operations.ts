import { Type } from 'typebox'
import { validationErrors } from '../common.errors.ts'
import { defineOperation } from '../define-operation.ts'
import { Id, Nullable, OneOf } from '../primitives.ts'
import {
  CountryCount,
  FoundEntry,
  IssuerDetails,
  LicenseTypeCount,
  ProjectedEntry,
  RegisterChange,
  RegisterHealth,
  Statistics,
} from './register.schemas.ts'

const register = { feature: 'register', method: 'GET', scope: 'register:read', registerKeys: true } as const
const at = <P extends string>(path: P) => `/api/mica/v1${path}` as const
const Text = Type.Optional(Type.String())
const List = (description: string) => Type.Optional(Type.String({ maxLength: 2_000, description }))

const sourced = {
  metadata: Type.Object({
    source: OneOf(['database', 'empty'], {
      description: '`empty`: nothing was ever imported, so nothing can be found.',
    }),
  }),
} as const

export const searchIssuers = defineOperation({
  ...register,
  ...sourced,
  id: 'searchIssuers',
  path: at('/search'),
  summary: 'Search the register',
  description:
    'By name, commercial name, identifier and authority, whatever the case, accents, hyphens, ampersands and dots: whole identifiers and names first, then prefixes, prefixes of words, and any part; if there is none, with one letter mistyped. Not being found is no clearance, being found no advice.',
  query: Type.Object({
    q: Type.String({ description: '2 to 200 characters once trimmed.' }),
    limit: Type.Optional(Type.String({ description: 'Integer from 1; 20 by default, at most 100.' })),
  }),
  pagination: Type.Object(
    { total: Type.Integer(), returned: Type.Integer(), query: Type.String({ description: '`q`, trimmed.' }) },
    { additionalProperties: false, description: '`total` and `returned` are both the number of entries answered.' },
  ),
  cacheSeconds: 120,
  legs: { read: { data: Type.Array(FoundEntry), errors: validationErrors } },
})

export const listIssuers = defineOperation({
  ...register,
  ...sourced,
  id: 'listIssuers',
  path: at('/issuers'),
  summary: 'List the register',
  query: Type.Object({
    licenseType: List('Comma list.'),
    country: List('Comma list of codes or parts of names.'),
    status: List('Comma list.'),
    entityType: List('Comma list.'),
    search: Type.Optional(Type.String({ description: 'At most 200 characters; any part, spelt as in the search.' })),
    sortBy: Type.Optional(Type.String({ description: 'entityName by default.' })),
    sortOrder: Type.Optional(Type.String({ description: 'asc by default.' })),
    fields: List('Comma list of fields to answer.'),
    limit: Text,
    offset: Text,
  }),
  description:
    'Filtered, sorted and paged: `limit` 100 (at most 500), `offset`. Equal values are sorted by name, then id.',
  pagination: Type.Object(
    {
      total: Type.Integer(),
      returned: Type.Integer(),
      limit: Type.Integer(),
      offset: Type.Integer(),
      hasMore: Type.Boolean(),
    },
    { additionalProperties: false },
  ),
  headers: {
    'x-total-count': 'How many entries match, on all pages.',
    'x-data-source': 'As `metadata.source`.',
  },
  cacheSeconds: 300,
  legs: { read: { data: Type.Array(ProjectedEntry), errors: validationErrors } },
})

export const getIssuer = defineOperation({
  ...register,
  id: 'getIssuer',
  path: at('/issuers/{id}'),
  summary: 'Get a register entry',
  description: 'With its white papers and what is wrong with the published rows.',
  params: Type.Object({ id: Id }),
  fieldCodes: { id: 'VALIDATION_ERROR' },
  cacheSeconds: 300,
  legs: {
    read: {
      data: IssuerDetails,
      errors: {
        ...validationErrors,
        NOT_FOUND: { status: 404, message: 'The register has no entry with this id. That is no clearance.' },
      },
    },
  },
})

export const getStatistics = defineOperation({
  ...register,
  id: 'getStatistics',
  path: at('/statistics'),
  summary: 'Figures of the register',
  description:
    'Counts by licence type, country and status, and the ten newest authorisations. Issuers of e-money tokens are not among those: what is published for them is the date of an older licence.',
  cacheSeconds: 600,
  legs: { read: { data: Statistics, errors: {} } },
})

export const listLicenseTypes = defineOperation({
  ...register,
  id: 'listLicenseTypes',
  path: at('/license-types'),
  summary: 'Licence types and how often they occur',
  cacheSeconds: 600,
  legs: { read: { data: Type.Array(LicenseTypeCount), errors: {} } },
})

export const listCountries = defineOperation({
  ...register,
  id: 'listCountries',
  path: at('/countries'),
  summary: 'Home states and how often they occur',
  cacheSeconds: 600,
  legs: { read: { data: Type.Array(CountryCount), errors: {} } },
})

export const getRegisterHealth = defineOperation({
  ...register,
  id: 'getRegisterHealth',
  path: at('/health'),
  summary: 'How fresh the register is',
  description:
    'Per source file: where it came from, its date and hash, the last import, and the last attempt that failed.',
  legs: { read: { data: RegisterHealth, errors: {} } },
})

export const listRegisterChanges = defineOperation({
  ...register,
  id: 'listRegisterChanges',
  path: at('/changes'),
  summary: 'What imports changed',
  description:
    'Oldest first: entries added, changed (which fields, before and after) and removed. `limit` 100 (at most 500); `cursor` goes on, and `nextCursor` stays valid for changes to come.',
  query: Type.Object({
    cursor: Type.Optional(Type.String({ maxLength: 400, description: '`nextCursor` of the page before.' })),
    limit: Text,
    licenseType: List('Comma list.'),
    kind: List('Comma list of added, changed, removed.'),
  }),
  pagination: Type.Object(
    {
      returned: Type.Integer(),
      limit: Type.Integer(),
      hasMore: Type.Boolean(),
      nextCursor: Nullable(Type.String({ description: 'Null: there was never a change.' })),
    },
    { additionalProperties: false },
  ),
  legs: { read: { data: Type.Array(RegisterChange), errors: validationErrors } },
})
