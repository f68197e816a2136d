import type { Sql } from '../../platform/db/database.ts'

/** One version of the terms of a market. Its text is never changed; only whether it is in force. */
export interface TermsRow {
  readonly termsId: string
  readonly version: number
  readonly title: string | null
  readonly content: string
  readonly contentHash: string
  readonly providesForExtensions: boolean
  readonly author: string
  readonly published: boolean
  readonly isCurrent: boolean
  readonly createdAt: Date
  readonly publishedAt: Date | null
}

const columns = (sql: Sql) => sql`
  terms_id as "termsId", version, title, content, content_hash as "contentHash", provides_for_extensions as "providesForExtensions", author,
  published, is_current as "isCurrent", created_at as "createdAt", published_at as "publishedAt"`

/** A market by chain and address: terms belong to it, not to an instance. */
export interface MarketKey {
  readonly chainId: number
  readonly address: string
}

const of = (sql: Sql, { chainId, address }: MarketKey) => sql`chain_id = ${chainId} and market_address = ${address}`

export const findCurrent = (sql: Sql, market: MarketKey) => sql<TermsRow[]>`
  select ${columns(sql)} from market_terms where ${of(sql, market)} and is_current`

export const findNewest = (sql: Sql, market: MarketKey) => sql<TermsRow[]>`
  select ${columns(sql)} from market_terms where ${of(sql, market)} order by version desc limit 1`

export const findVersion = (sql: Sql, market: MarketKey, version: number) => sql<TermsRow[]>`
  select ${columns(sql)} from market_terms where ${of(sql, market)} and version = ${version}`

export type ListedTerms = Omit<TermsRow, 'content' | 'providesForExtensions' | 'publishedAt'>

/** Newest first, below a version; texts can be long, so lists go without. */
export const listVersions = (sql: Sql, market: MarketKey, below: number, limit: number) => sql<ListedTerms[]>`
  select terms_id as "termsId", version, title, content_hash as "contentHash", author, published, is_current as "isCurrent",
         created_at as "createdAt"
  from market_terms where ${of(sql, market)} and version < ${below} order by version desc limit ${limit}`

/** Always one row: false as long as no terms that say so are in force. */
export const termsProvideForExtensions = (sql: Sql, chainId: number, market: string) => sql<
  { providesForExtensions: boolean }[]
>`
  select coalesce(bool_or(provides_for_extensions), false) as "providesForExtensions" from market_terms
  where chain_id = ${chainId} and market_address = ${market} and is_current`

/* What follows needs the role tally_chain: terms are shared by everybody who may see the market. */

/** Versions are counted: one writer per market at a time. */
export async function lockTerms(sql: Sql, { chainId, address }: MarketKey): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('market_terms ' || ${chainId}::text || ${address}, 0))`
}

/** What was in force is replaced, which takes nothing back of its having been published. */
export async function endCurrent(sql: Sql, market: MarketKey): Promise<void> {
  await sql`update market_terms set is_current = false where ${of(sql, market)} and is_current`
}

export async function publish(sql: Sql, market: MarketKey, version: number, now: Date): Promise<void> {
  await sql`
    update market_terms set is_current = true, published = true, published_at = ${now} where ${of(sql, market)} and version = ${version}`
}

export async function withdraw(sql: Sql, market: MarketKey): Promise<boolean> {
  const rows = await sql`
    update market_terms set is_current = false, published = false where ${of(sql, market)} and is_current returning 1`
  return rows.length > 0
}

export async function insertVersion(sql: Sql, { chainId, address }: MarketKey, row: TermsRow): Promise<void> {
  await sql`
    insert into market_terms (chain_id, market_address, version, terms_id, title, content, content_hash, provides_for_extensions, author,
      published, is_current, created_at, published_at)
    values (${chainId}, ${address}, ${row.version}, ${row.termsId}, ${row.title}, ${row.content}, ${row.contentHash},
      ${row.providesForExtensions}, ${row.author}, ${row.published}, ${row.isCurrent}, ${row.createdAt}, ${row.publishedAt})`
}
