import type { DataOf, IssuerDetailsRecord, IssuerRecord, LicenseType, registerOperations } from '@tallystick/wire'
import type { Sql } from '../platform/db/database.ts'
import type { Place } from './query.rules.ts'

type Fragment = ReturnType<typeof status>

/** An authorisation ends on its last day; what that means today is not stored. */
const status = (sql: Sql, today: string) => sql`
  case when e.license_type = 'NON_COMPLIANT' then 'non_compliant' when e.authorization_end_date <= ${today}::date then 'expired' else 'active' end`

const entry = (sql: Sql, today: string) => sql`
  e.entity_id as id, e.entity_name as "entityName", e.entity_identifier as "entityIdentifier", e.license_type as "licenseType",
  e.entity_type as "entityType", e.country, e.country_code as "countryCode", e.national_authority as "nationalAuthority",
  e.commercial_name as "commercialName", e.address, e.website, e.website_platform as "websitePlatform",
  e.authorization_date::text as "authorizationDate", e.authorization_end_date::text as "authorizationEndDate", e.services,
  e.passported_countries as "passportedCountries", ${status(sql, today)} as status, e.comments`

/** Behind every text that goes on. */
const LAST_SIGN = '\u{10FFFF}'

export type FoundEntry = DataOf<typeof registerOperations.searchIssuers>[number]

export interface Wanted {
  readonly asTyped: readonly string[]
  /** Other ways to write the same: what only they find follows, unless it is found whole. */
  readonly otherwise: readonly string[]
}

/** One text alone is asked for without an array: of unknown length, it would have the database plan every search anew. */
function hits(sql: Sql, { asTyped, otherwise }: Wanted, limit: number) {
  const [text, ...more] = [...asTyped, ...otherwise]
  if (text !== undefined && more.length === 0)
    return sql`select f.entity_id, f.tier from tally_search_register(${text}, ${limit}::int) f`
  return sql`
    select f.entity_id, min(case when f.tier > 1 and w.place > ${asTyped.length}::int then f.tier + 10 else f.tier end) as tier
    from unnest(${[...asTyped, ...otherwise]}::text[]) with ordinality w (wanted, place)
    cross join lateral tally_search_register(w.wanted, ${limit}::int) f group by f.entity_id`
}

/** The best matches first. Every comparison is with folded text. */
export const searchEntities = (sql: Sql, { asTyped, otherwise }: Wanted, limit: number, today: string) => sql<
  FoundEntry[]
>`
  select e.entity_id as id, e.entity_name as "entityName", e.entity_identifier as "entityIdentifier", e.license_type as "licenseType",
         e.entity_type as "entityType", e.country, e.country_code as "countryCode", e.national_authority as "nationalAuthority",
         e.commercial_name as "commercialName", e.authorization_date::text as "authorizationDate", ${status(sql, today)} as status
  from (${hits(sql, { asTyped, otherwise }, limit)}) h join register_entities e using (entity_id)
  order by h.tier, e.name_key, e.entity_id limit ${limit}::int`

/**
 * Every word that may be one edit away from one of these, and many that are not: an edit changes at most two neighbouring letters, so that
 * the beginning or the end is the same when a letter in the middle belongs to neither.
 */
export const readWordsNear = (sql: Sql, words: readonly string[]) => sql<{ word: string }[]>`
  select distinct n.word
  from (select length(m) as letters, left(m, (length(m) - 1) / 2) as beginning, left(reverse(m), length(m) / 2) as ending
        from unnest(${[...words]}::text[]) m) q
  cross join lateral (
    select w.word from register_words w
    where w.word >= q.beginning and w.word < q.beginning || ${LAST_SIGN}::text and length(w.word) between q.letters - 1 and q.letters + 1
    union all
    select w.word from register_words w
    where reverse(w.word) >= q.ending and reverse(w.word) < q.ending || ${LAST_SIGN}::text
      and length(w.word) between q.letters - 1 and q.letters + 1
  ) n`

export const wasFilled = (sql: Sql) => sql<{ filled: boolean }[]>`
  select exists (select from register_imports) as filled`

export interface ListRequest {
  readonly licenseTypes: readonly string[]
  readonly countries: readonly string[] | null
  readonly statuses: readonly string[]
  readonly entityTypes: readonly string[]
  /** Folded, in every way to write it; none: not asked for. */
  readonly search: readonly string[]
  readonly sortBy: string
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
}

export interface EntityPage {
  readonly total: number
  readonly entries: Partial<IssuerRecord>[]
  readonly filled: boolean
}

const sortColumns: Readonly<Record<string, string>> = {
  entityName: 'name_key',
  countryCode: 'countryCode',
  licenseType: 'licenseType',
  authorizationDate: 'authorizationDate',
  status: 'status',
}

export function listEntities(sql: Sql, request: ListRequest, today: string) {
  const column = sql(sortColumns[request.sortBy] ?? 'name_key')
  const order = request.descending
    ? sql`${column} desc nulls last, name_key, id`
    : sql`${column} asc nulls last, name_key, id`
  const patterns = request.search.map((text) => `%${text.replace(/[\\%_]/g, '\\$&')}%`)
  return sql<EntityPage[]>`
    with matching as (
      select ${entry(sql, today)}, e.name_key from register_entities e
      where (${request.licenseTypes.length === 0} or e.license_type = any(${[...request.licenseTypes]}))
        and (${request.entityTypes.length === 0} or e.entity_type = any(${[...request.entityTypes]}))
        and (${request.countries === null} or e.country_code = any(${[...(request.countries ?? [])]}))
        and (${request.statuses.length === 0} or ${status(sql, today)} = any(${[...request.statuses]}))
        and (${request.search.length === 0} or e.search_text like any(${patterns}::text[])
             or e.authority_key in (select authority_key from register_authorities where search_text like any(${patterns}::text[])))
    ), page as (
      select row_number() over (order by ${order}) as place, matching.* from matching
      order by place limit ${request.limit} offset ${request.offset}
    )
    select (select count(*)::int from matching) as total,
           (select coalesce(json_agg(to_jsonb(page) - 'place' - 'name_key' order by place), '[]') from page) as entries,
           exists (select from register_imports) as filled`
}

export const readEntity = (sql: Sql, id: string, today: string) => sql<(IssuerRecord & IssuerDetailsRecord)[]>`
  select ${entry(sql, today)}, e.also_named as "alsoNamed", e.white_papers as "whitePapers", e.data_notes as "dataNotes",
         e.last_update::text as "lastUpdate", e.file as "sourceFile",
         to_char(e.first_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "firstSeenAt",
         to_char(e.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt"
  from register_entities e where e.entity_id = ${id}`

const countriesQuery = (sql: Sql) => sql`
  select country_code as code, country as name, count(*)::int as count from register_entities
  where country_code is not null group by 1, 2 order by 3 desc, 1`

const licenseTypesQuery = (sql: Sql) => sql`
  select license_type as type, count(*)::int as count from register_entities group by 1`

export const countCountries = (sql: Sql) => sql<{ code: string; name: string; count: number }[]>`${countriesQuery(sql)}`

export const countLicenseTypes = (sql: Sql) => sql<{ type: LicenseType; count: number }[]>`${licenseTypesQuery(sql)}`

export interface StatisticsRow {
  readonly licenseTypes: { type: LicenseType; count: number }[]
  readonly countries: { code: string; name: string; count: number }[]
  readonly statuses: { status: 'active' | 'expired' | 'non_compliant'; count: number }[]
  readonly recent: Pick<IssuerRecord, 'entityName' | 'licenseType' | 'countryCode' | 'authorizationDate'>[]
}

const asArray = (sql: Sql, rows: Fragment) => sql`(select coalesce(json_agg(r), '[]') from (${rows}) r)`

/** Everything as of one moment. Of e-money tokens the licence is older than the register, so they are not among the newest. */
export const readStatistics = (sql: Sql, today: string) => sql<StatisticsRow[]>`
  select ${asArray(sql, licenseTypesQuery(sql))} as "licenseTypes",
         ${asArray(sql, countriesQuery(sql))} as countries,
         ${asArray(sql, sql`select ${status(sql, today)} as status, count(*)::int as count from register_entities e group by 1`)} as statuses,
         ${asArray(
           sql,
           sql`select entity_name as "entityName", license_type as "licenseType", country_code as "countryCode",
                      authorization_date as "authorizationDate"
               from register_entities where license_type in ('CASP', 'ART') and authorization_date <= ${today}::date
               order by authorization_date desc, name_key, entity_id limit 10`,
         )} as recent`

export interface FileHealth {
  readonly file: string
  readonly source: string
  readonly sourceDate: string | null
  readonly sha256: string
  readonly importedAt: string
  readonly checkedAt: string | null
  readonly rows: number
  readonly entities: number
  readonly malformedRows: number
}

export interface FailureRow {
  readonly file: string | null
  readonly at: string
  readonly source: string
  readonly reason: string
}

export interface HealthRow {
  readonly total: number
  readonly files: FileHealth[]
  /** The newest of each file, and the newest of a source that is none of them. */
  readonly failures: FailureRow[]
}

const instant = (sql: Sql, column: Fragment) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const readHealth = (sql: Sql) => sql<HealthRow[]>`
  select (select count(*)::int from register_entities) as total,
    ${asArray(
      sql,
      sql`select distinct on (i.file) i.file, i.source, ${instant(sql, sql`i.source_date`)} as "sourceDate", i.sha256,
                 ${instant(sql, sql`i.imported_at`)} as "importedAt",
                 (select ${instant(sql, sql`max(s.checked_at)`)} from register_sources s where s.file = i.file) as "checkedAt",
                 i.row_count as rows, i.entity_count as entities, i.malformed_count as "malformedRows"
          from register_imports i order by i.file, i.import_number desc`,
    )} as files,
    ${asArray(
      sql,
      sql`select distinct on (f.file) f.file, ${instant(sql, sql`f.failed_at`)} as at, f.source, f.reason
          from register_failures f order by f.file, f.failed_at desc, f.failure_id desc`,
    )} as failures`

export interface ChangeRow {
  readonly importNumber: bigint
  readonly place: number
  readonly change: DataOf<typeof registerOperations.listRegisterChanges>[number]
}

export const listChanges = (
  sql: Sql,
  request: { after: Place; licenseTypes: readonly string[]; kinds: readonly string[]; limit: number },
) => sql<ChangeRow[]>`
  select import_number as "importNumber", place, json_build_object(
           'importNumber', import_number, 'at', ${instant(sql, sql`changed_at`)}, 'file', file, 'kind', kind, 'id', entity_id,
           'entityName', entity_name, 'licenseType', license_type, 'fields', fields) as change
  from register_changes
  where (import_number, place) > (${request.after.importNumber}::bigint, ${request.after.place}::int)
    and (${request.licenseTypes.length === 0} or license_type = any(${[...request.licenseTypes]}))
    and (${request.kinds.length === 0} or kind = any(${[...request.kinds]}))
  order by import_number, place limit ${request.limit}`
