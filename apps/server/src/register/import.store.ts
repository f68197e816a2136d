import type { RegisterFile } from '@tallystick/wire'
import type { Database, Sql } from '../platform/db/database.ts'
import type { Change, StoredEntity } from './changes.rules.ts'
import { longWords } from './corrections.rules.ts'
import type { Entity } from './entity.rules.ts'
import { foldWords, searchText, sortKey, spellings } from './fold.rules.ts'
import type { Owners } from './merge.rules.ts'

const BATCH = 500

/** One import after the other, whoever makes them. */
export async function lockRegister(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('register import', 0))`
}

export interface LastImport {
  readonly sha256: string
  readonly reading: number
  readonly rows: number
}

export async function readLastImport(sql: Sql, file: RegisterFile): Promise<LastImport | undefined> {
  const [row] = await sql<LastImport[]>`
    select sha256, reading, row_count as rows from register_imports where file = ${file} order by import_number desc limit 1`
  return row
}

export const findAnyImport = (sql: Sql) => sql`select 1 from register_imports limit 1`

export async function nextImportNumber(sql: Sql): Promise<bigint> {
  const [row] = await sql<{ next: bigint }[]>`
    select coalesce(max(import_number), 0) + 1 as next from register_imports`
  return row?.next ?? 1n
}

export interface ImportRow {
  readonly importNumber: bigint
  readonly file: RegisterFile
  readonly source: string
  readonly sourceDate: Date | null
  readonly sha256: string
  readonly reading: number
  readonly rows: number
  readonly entities: number
  readonly malformedRows: number
  readonly malformed: readonly object[]
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly importedAt: Date
}

export async function insertImport(sql: Sql, row: ImportRow): Promise<void> {
  await sql`
    insert into register_imports (import_number, file, source, source_date, sha256, reading, row_count, entity_count, malformed_count,
                                  malformed, added, changed, removed, imported_at)
    values (${row.importNumber}, ${row.file}, ${row.source}, ${row.sourceDate}, ${row.sha256}, ${row.reading}, ${row.rows}, ${row.entities},
            ${row.malformedRows}, ${JSON.stringify(row.malformed)}::text::jsonb, ${row.added}, ${row.changed}, ${row.removed}, ${row.importedAt})`
}

/** All entities of a file, as far as an import compares them. */
export async function readEntities(sql: Sql, file: RegisterFile): Promise<StoredEntity[]> {
  const rows = await sql<{ entity: StoredEntity }[]>`
    select json_build_object(
      'id', entity_id, 'licenseType', license_type, 'entityName', entity_name, 'entityIdentifier', entity_identifier, 'country', country,
      'nationalAuthority', national_authority, 'commercialName', commercial_name, 'address', address, 'website', website,
      'websitePlatform', website_platform, 'authorizationDate', authorization_date, 'authorizationEndDate', authorization_end_date,
      'services', services, 'passportedCountries', passported_countries, 'comments', comments, 'alsoNamed', also_named,
      'whitePapers', white_papers, 'dataNotes', data_notes, 'lastUpdate', last_update) as entity
    from register_entities where file = ${file}`
  return rows.map(({ entity }) => entity)
}

/** The names that other files give for identifiers. Whoever acts without an authorisation may use that of another. */
export async function readOwners(sql: Sql, identifiers: readonly string[], file: RegisterFile): Promise<Owners> {
  const rows = await sql<{ identifier: string; names: string[] }[]>`
    select entity_identifier as identifier, array_agg(distinct entity_name order by entity_name) as names from register_entities
    where identifier_key = any(${identifiers.map(sortKey)}::text[]) and file not in (${file}, 'NCASP')
      and not 'IDENTIFIER_OF_ANOTHER' = any(data_notes)
    group by 1`
  return new Map(rows.map(({ identifier, names }) => [identifier, names]))
}

const authorityKey = ({ countryCode, nationalAuthority }: Entity): string | null =>
  nationalAuthority === null ? null : `${countryCode ?? ''} ${sortKey(nationalAuthority)}`

/** Names that a search takes for the beginning of the entity, beside its own. */
const tradeNames = ({ commercialName, alsoNamed }: Entity): string[] => [
  ...(commercialName?.split(/[|\n]/).map((name) => name.trim()) ?? []),
  ...alsoNamed,
]

/** Names on the white papers of an entity that are not its own: whoever knows one finds the paper. */
function namesOnPapers({ whitePapers }: Entity, own: readonly string[]): string[] {
  const names = whitePapers.flatMap(({ issuerName, providerName }) => [issuerName, providerName])
  return [...new Set(names.filter((name) => name !== null))].filter((name) => !own.includes(name)).sort()
}

const namesOf = (entity: Entity): string[] => [entity.entityName, ...tradeNames(entity)].filter((name) => name !== '')

function asRow(entity: Entity, firstSeenAt: Date, changedAt: Date) {
  const names = namesOf(entity)
  const spelt = names.flatMap(spellings)
  const { entityIdentifier } = entity
  return {
    entity_id: entity.id,
    file: entity.file,
    entity_name: entity.entityName,
    entity_identifier: entityIdentifier,
    license_type: entity.licenseType,
    entity_type: entity.entityType,
    country: entity.country,
    country_code: entity.countryCode,
    national_authority: entity.nationalAuthority,
    commercial_name: entity.commercialName,
    address: entity.address,
    website: entity.website,
    website_platform: entity.websitePlatform,
    authorization_date: entity.authorizationDate,
    authorization_end_date: entity.authorizationEndDate,
    services: entity.services,
    passported_countries: entity.passportedCountries,
    comments: entity.comments,
    also_named: entity.alsoNamed,
    white_papers: entity.whitePapers,
    data_notes: entity.dataNotes,
    last_update: entity.lastUpdate,
    first_seen_at: firstSeenAt,
    changed_at: changedAt,
    name_key: sortKey(entity.entityName),
    identifier_key: entityIdentifier === null ? null : sortKey(entityIdentifier),
    authority_key: authorityKey(entity),
    search_text: searchText(
      entityIdentifier === null ? spelt : [...spelt, entityIdentifier],
      namesOnPapers(entity, names).flatMap(spellings),
    ),
  }
}

function* batches<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += BATCH) yield rows.slice(from, from + BATCH)
}

const asJson = (rows: readonly object[]): string => JSON.stringify(rows)

async function writeAuthorities(sql: Sql, entities: readonly Entity[]): Promise<void> {
  const rows = new Map<string, object>()
  for (const entity of entities) {
    const key = authorityKey(entity)
    if (key !== null)
      rows.set(key, { authority_key: key, search_text: searchText(spellings(entity.nationalAuthority ?? '')) })
  }
  await sql`
    insert into register_authorities select * from jsonb_populate_recordset(null::register_authorities, ${asJson([...rows.values()])}::text::jsonb)
    on conflict (authority_key) do update set search_text = excluded.search_text`
}

async function writeTradeNames(sql: Sql, entities: readonly Entity[]): Promise<void> {
  const rows = entities.flatMap((entity) => {
    const own = sortKey(entity.entityName)
    const keys = new Set(namesOf(entity).flatMap(spellings).map(sortKey))
    keys.delete('')
    keys.delete(own)
    return [...keys].map((key) => ({ entity_id: entity.id, trade_key: key, name_key: own }))
  })
  await sql`
    insert into register_trade_names select * from jsonb_populate_recordset(null::register_trade_names, ${asJson(rows)}::text::jsonb)`
}

/** The words that a mistyped one may be meant for. Those of entities that are gone stay: they find nobody. */
async function writeWords(sql: Sql, entities: readonly Entity[]): Promise<void> {
  const words = new Set<string>()
  for (const entity of entities) {
    const names = namesOf(entity)
    const all = [...names, ...namesOnPapers(entity, names), entity.nationalAuthority ?? '']
    for (const spelling of all.flatMap(spellings)) for (const word of longWords(foldWords(spelling))) words.add(word)
  }
  await sql`
    insert into register_words select unnest(${[...words].sort()}::text[]) on conflict do nothing`
}

/**
 * Writes entities; one that was there keeps the day it was first seen, and one that says nothing new (it is not among `changed`) also the
 * day it changed.
 */
export async function writeEntities(
  sql: Sql,
  entities: readonly Entity[],
  at: Date,
  changed: ReadonlySet<string> = new Set(entities.map(({ id }) => id)),
): Promise<void> {
  for (const batch of batches(entities)) {
    await writeAuthorities(sql, batch)
    const known = await sql<{ id: string; firstSeenAt: Date; changedAt: Date }[]>`
      delete from register_entities where entity_id = any(${batch.map(({ id }) => id)}::text[]::uuid[])
      returning entity_id as id, first_seen_at as "firstSeenAt", changed_at as "changedAt"`
    const days = new Map(known.map((one) => [one.id, one]))
    const rows = batch.map((entity) => {
      const { firstSeenAt = at, changedAt = at } = days.get(entity.id) ?? {}
      return asRow(entity, firstSeenAt, changed.has(entity.id) ? at : changedAt)
    })
    await sql`
      insert into register_entities select * from jsonb_populate_recordset(null::register_entities, ${asJson(rows)}::text::jsonb)`
    await writeTradeNames(sql, batch)
    await writeWords(sql, batch)
  }
}

export async function removeEntities(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`delete from register_entities where entity_id = any(${[...ids]}::text[]::uuid[])`
  await sql`
    delete from register_authorities a where not exists (select from register_entities e where e.authority_key = a.authority_key)`
}

/** Tells a search which texts are frequent; see its function in the database. */
export const drawSample = (sql: Sql) => sql`select tally_draw_sample()`

export async function insertChanges(
  sql: Sql,
  { importNumber, file, importedAt }: Pick<ImportRow, 'importNumber' | 'file' | 'importedAt'>,
  changes: readonly Change[],
): Promise<void> {
  const rows = changes.map(({ kind, entity, fields }, place) => ({
    import_number: importNumber.toString(),
    place,
    file,
    kind,
    entity_id: entity.id,
    entity_name: entity.entityName,
    license_type: entity.licenseType,
    fields,
    changed_at: importedAt,
  }))
  for (const batch of batches(rows))
    await sql`
      insert into register_changes select * from jsonb_populate_recordset(null::register_changes, ${asJson(batch)}::text::jsonb)`
}

const KEPT_FAILURES = 500

export async function insertFailure(
  sql: Sql,
  failure: { failureId: string; file: RegisterFile | null; source: string; reason: string; failedAt: Date },
): Promise<void> {
  await sql`
    insert into register_failures (failure_id, file, source, reason, failed_at)
    values (${failure.failureId}, ${failure.file}, ${failure.source}, ${failure.reason}, ${failure.failedAt})`
  await sql`
    delete from register_failures where failure_id in (
      select failure_id from register_failures order by failed_at desc, failure_id desc offset ${KEPT_FAILURES})`
}

export interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

/**
 * Takes an address to be looked at; undefined when somebody did so since `before`. What an older release imported is asked for whole: the
 * same bytes may mean something else by now.
 */
export async function claimSource(
  sql: Sql,
  { source, now, before, reading }: { source: string; now: Date; before: Date; reading: number },
): Promise<Validators | undefined> {
  const [row] = await sql<(Validators & { isOutdated: boolean })[]>`
    insert into register_sources as s (source, checked_at) values (${source}, ${now})
    on conflict (source) do update set checked_at = excluded.checked_at where s.checked_at <= ${before}
    returning etag, last_modified as "lastModified",
      (select i.reading from register_imports i where i.file = s.file order by i.import_number desc limit 1) is distinct from ${reading} as "isOutdated"`
  if (!row) return undefined
  const { isOutdated, ...validators } = row
  return isOutdated ? { etag: null, lastModified: null } : validators
}

/** Notes what the next look at an address asks with. */
export async function noteSource(
  sql: Sql,
  source: string,
  { etag, lastModified }: Validators,
  file: RegisterFile | null,
): Promise<void> {
  await sql`
    update register_sources set etag = ${etag}, last_modified = ${lastModified}, file = coalesce(${file}, file) where source = ${source}`
}

/** Sorts what was written into the index for searching, which searches would otherwise read through one by one. */
export async function tidyIndex(database: Database): Promise<void> {
  await database.owner`select gin_clean_pending_list('register_entities_by_gram')`
}
