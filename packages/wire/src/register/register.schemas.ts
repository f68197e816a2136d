import { type Static, Type } from 'typebox'
import { Instant, Nullable, OneOf } from '../primitives.ts'

export const licenseTypes = ['CASP', 'ART', 'EMT', 'OTHER', 'NON_COMPLIANT'] as const
export type LicenseType = (typeof licenseTypes)[number]
export const entityTypes = ['provider', 'issuer', 'whitepaper', 'non_compliant'] as const
export const issuerStatuses = ['active', 'expired', 'non_compliant'] as const
export const registerFiles = ['CASPS', 'ARTZZ', 'EMTWP', 'OTHER', 'NCASP'] as const
export type RegisterFile = (typeof registerFiles)[number]

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Calendar day, ISO 8601.' })
const CountryCode = Type.String({ description: 'ISO 3166-1 alpha-2.' })

const entry = {
  id: Type.String({
    description: 'The same in every import: derived from identifier or name, licence type and home state.',
  }),
  entityName: Type.String(),
  entityIdentifier: Nullable(
    Type.String({ description: 'Legal entity identifier as published, without signs behind it.' }),
  ),
  licenseType: OneOf(licenseTypes),
  entityType: OneOf(entityTypes),
  country: Nullable(Type.String({ description: 'Home member state.' })),
  countryCode: Nullable(CountryCode),
  nationalAuthority: Nullable(Type.String()),
  commercialName: Nullable(Type.String()),
  address: Nullable(Type.String()),
  website: Nullable(Type.String()),
  websitePlatform: Nullable(Type.String()),
  authorizationDate: Nullable(Day),
  authorizationEndDate: Nullable(Day),
  services: Type.Array(Type.String(), { description: 'Letters a to j of the crypto-asset services.' }),
  passportedCountries: Type.Array(CountryCode),
  status: OneOf(issuerStatuses),
  comments: Nullable(Type.String()),
} as const

export type IssuerField = keyof typeof entry
export const issuerFields = Object.keys(entry) as IssuerField[]
export const sortableFields = ['entityName', 'countryCode', 'licenseType', 'authorizationDate', 'status'] as const

const closed = { additionalProperties: false } as const

export const IssuerEntry = Type.Object(entry, closed)
/** What a search answers: enough to tell entries apart, and every field that could have matched. */
export const FoundEntry = Type.Pick(IssuerEntry, [
  'id',
  'entityName',
  'entityIdentifier',
  'licenseType',
  'entityType',
  'country',
  'countryCode',
  'nationalAuthority',
  'commercialName',
  'authorizationDate',
  'status',
])
/** With `fields`, only what was asked for. */
export const ProjectedEntry = Type.Partial(IssuerEntry)

const WhitePaper = Type.Object(
  {
    url: Nullable(Type.String()),
    date: Nullable(Day),
    tokenIdentifiers: Type.Array(Type.String(), { description: 'Digital token identifiers, ISO 24165.' }),
    countries: Type.Array(CountryCode),
    comments: Nullable(Type.String()),
    issuerName: Nullable(Type.String({ description: 'The issuer as this paper names it.' })),
    providerName: Nullable(
      Type.String({ description: 'The provider that seeks admission to trading, as this paper names it.' }),
    ),
  },
  closed,
)

export const dataNotes = [
  'LOST_CHARACTERS',
  'MIXED_SCRIPTS',
  'IDENTIFIER_FORM',
  'IDENTIFIER_CHECKSUM',
  'IDENTIFIER_OF_ANOTHER',
  'NAMES_DIFFER',
  'UNREADABLE_DATE',
  'UNREADABLE_COUNTRY',
  'UNREADABLE_SERVICE',
  'CELLS_SHIFTED',
  'ENCODING_ASSUMED',
] as const

export const IssuerDetails = Type.Object(
  {
    ...entry,
    alsoNamed: Type.Array(Type.String(), { description: 'Other legal names that rows of this entity carry.' }),
    whitePapers: Type.Array(WhitePaper),
    dataNotes: Type.Array(OneOf(dataNotes), {
      description: 'What is wrong with the published rows; nothing is guessed.',
    }),
    lastUpdate: Nullable(Day),
    sourceFile: OneOf(registerFiles),
    firstSeenAt: Instant,
    changedAt: Instant,
  },
  closed,
)

const Count = Type.Integer({ minimum: 0 })
export const LicenseTypeCount = Type.Object({ type: OneOf(licenseTypes), label: Type.String(), count: Count }, closed)
export const CountryCount = Type.Object({ code: CountryCode, name: Type.String(), count: Count }, closed)

export const Statistics = Type.Object(
  {
    totalEntities: Count,
    licenseTypes: Type.Array(LicenseTypeCount),
    countries: Type.Array(CountryCount),
    byStatus: Type.Object({ active: Count, expired: Count, non_compliant: Count }, closed),
    recentAuthorizations: Type.Array(
      Type.Pick(IssuerEntry, ['entityName', 'licenseType', 'countryCode', 'authorizationDate']),
    ),
  },
  closed,
)

const Failure = Type.Object({ at: Instant, source: Type.String(), reason: Type.String() }, closed)

export const RegisterHealth = Type.Object(
  {
    status: OneOf(['operational', 'empty'], {
      description: '`empty`: nothing was ever imported, so nothing can be found.',
    }),
    totalIssuers: Count,
    lastSync: Nullable(Instant),
    apiVersion: Type.Literal('v1'),
    files: Type.Array(
      Type.Object(
        {
          file: OneOf(registerFiles),
          source: Nullable(Type.String()),
          sourceDate: Nullable(Instant),
          sha256: Nullable(Type.String()),
          importedAt: Nullable(Instant),
          checkedAt: Nullable(Instant),
          rows: Count,
          entities: Count,
          malformedRows: Count,
          lastFailure: Nullable(Failure),
        },
        closed,
      ),
    ),
    lastFailure: Nullable(Failure),
  },
  closed,
)

const Anything = Type.Unknown()

export const RegisterChange = Type.Object(
  {
    importNumber: Type.Integer(),
    at: Instant,
    file: OneOf(registerFiles),
    kind: OneOf(['added', 'changed', 'removed']),
    id: Type.String(),
    entityName: Type.String(),
    licenseType: OneOf(licenseTypes),
    fields: Type.Array(Type.Object({ field: Type.String(), before: Anything, after: Anything }, closed)),
  },
  closed,
)

export type IssuerRecord = Static<typeof IssuerEntry>
export type IssuerDetailsRecord = Static<typeof IssuerDetails>
