import type { AssetType, Framework, TokenWarning } from '@tallystick/wire'
import type { Sql, TenantDatabase } from '../platform/db/database.ts'
import type { Evidence } from './detection.rules.ts'
import type { TokenProfile } from './profile.rules.ts'

export interface ChainHalf {
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly framework: Framework
  readonly totalSupplyRaw: bigint
  readonly facts: Readonly<Record<string, unknown>>
  /** Null: read before this was kept. */
  readonly supplyReadAt: Date | null
  readonly supplyBlock: bigint | null
  readonly warnings: readonly TokenWarning[]
}

export interface ImportRow extends ChainHalf {
  readonly tokenAddress: string
  readonly assetType: AssetType
  readonly imageURI: string | null
  readonly importedAt: Date
  readonly importId: string
  readonly evidence: Evidence[]
  readonly profile: TokenProfile | null
  readonly updatedAt: Date
}

const all = (sql: Sql) => sql`
  token_address as "tokenAddress", name, symbol, decimals, framework, total_supply_raw as "totalSupplyRaw", facts,
  supply_read_at as "supplyReadAt", supply_block as "supplyBlock", warnings,
  asset_type as "assetType", image_uri as "imageURI", imported_at as "importedAt", import_id as "importId", evidence, profile,
  updated_at as "updatedAt"`

/** The whole list as one JSON text, newest first. */
export const listActiveAsJson = (tenant: TenantDatabase): Promise<string> => tenant.document('tally_list_imports')

export const readActive = (sql: Sql, instanceId: string, tokenAddress: string) => sql<ImportRow[]>`
  select ${all(sql)} from token_imports
  where instance_id = ${instanceId} and token_address = ${tokenAddress} and status = 'ACTIVE'`

/** Active ERC-20 imports with as many decimals as a borrow asset may have, newest first. */
export const listErc20 = (sql: Sql, instanceId: string) => sql<
  Pick<ImportRow, 'tokenAddress' | 'name' | 'symbol' | 'decimals'>[]
>`
  select token_address as "tokenAddress", name, symbol, decimals from token_imports
  where instance_id = ${instanceId} and status = 'ACTIVE' and framework = 'erc20' and decimals between 6 and 18
  order by imported_at desc, import_id desc`

/** Active imports of one framework, newest first. */
export const listActiveOfFramework = (sql: Sql, instanceId: string, framework: Framework) => sql<ImportRow[]>`
  select ${all(sql)} from token_imports
  where instance_id = ${instanceId} and status = 'ACTIVE' and framework = ${framework}
  order by imported_at desc, import_id desc`

/** Whether there is one, without reading it. */
export const findActive = (sql: Sql, instanceId: string, tokenAddress: string) => sql<{ importId: string }[]>`
  select import_id as "importId" from token_imports
  where instance_id = ${instanceId} and token_address = ${tokenAddress} and status = 'ACTIVE'`

/** Serializes what counts imports of one instance, so that the limit holds under concurrent requests. */
export async function lockImports(sql: Sql, instanceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('token_imports ' || ${instanceId}::text, 0))`
}

export async function countActive(sql: Sql, instanceId: string): Promise<number> {
  const [row] = await sql<{ active: number }[]>`
    select count(*)::int as active from token_imports where instance_id = ${instanceId} and status = 'ACTIVE'`
  return row?.active ?? 0
}

export interface NewImport extends ChainHalf {
  readonly importId: string
  readonly chainId: number
  readonly tokenAddress: string
  readonly assetType: AssetType
  readonly imageURI: string | null
  readonly evidence: readonly Evidence[]
  readonly importedAt: Date
}

export async function insertImport(sql: Sql, instanceId: string, row: NewImport): Promise<void> {
  await sql`
    insert into token_imports (instance_id, import_id, chain_id, token_address, name, symbol, decimals, framework, total_supply_raw,
      supply_read_at, supply_block, facts, warnings, evidence, asset_type, image_uri, status, imported_at, updated_at)
    values (${instanceId}, ${row.importId}, ${row.chainId}, ${row.tokenAddress}, ${row.name}, ${row.symbol}, ${row.decimals},
      ${row.framework}, ${row.totalSupplyRaw.toString()}::numeric, ${row.supplyReadAt}, ${row.supplyBlock?.toString() ?? null}::numeric,
      ${sql.json(row.facts as never)}, ${sql.json(row.warnings as never)}, ${sql.json(row.evidence as never)},
      ${row.assetType}, ${row.imageURI}, 'ACTIVE', ${row.importedAt}, ${row.importedAt})`
}

/** Rewrites the chain half only; the importer's half is not touched by a refresh. Undefined: no longer active. */
export async function rewriteChainHalf(
  sql: Sql,
  instanceId: string,
  tokenAddress: string,
  half: ChainHalf & { readonly evidence: readonly Evidence[] },
  now: Date,
): Promise<ImportRow | undefined> {
  const [row] = await sql<ImportRow[]>`
    update token_imports set name = ${half.name}, symbol = ${half.symbol}, decimals = ${half.decimals},
      total_supply_raw = ${half.totalSupplyRaw.toString()}::numeric, supply_read_at = ${half.supplyReadAt},
      supply_block = ${half.supplyBlock?.toString() ?? null}::numeric, facts = ${sql.json(half.facts as never)},
      warnings = ${sql.json(half.warnings as never)},
      evidence = ${sql.json(half.evidence as never)}, updated_at = ${now}
    where instance_id = ${instanceId} and token_address = ${tokenAddress} and status = 'ACTIVE' and framework = ${half.framework}
    returning ${all(sql)}`
  return row
}

export async function setProfile(
  sql: Sql,
  instanceId: string,
  tokenAddress: string,
  profile: TokenProfile | null,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update token_imports set profile = ${profile === null ? null : sql.json(profile as never)}, updated_at = ${now}
    where instance_id = ${instanceId} and token_address = ${tokenAddress} and status = 'ACTIVE' returning 1`
  return rows.length === 1
}

export async function setImage(
  sql: Sql,
  instanceId: string,
  tokenAddress: string,
  imageURI: string | null,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update token_imports set image_uri = ${imageURI}, updated_at = ${now}
    where instance_id = ${instanceId} and token_address = ${tokenAddress} and status = 'ACTIVE' returning 1`
  return rows.length === 1
}

export async function revokeImport(sql: Sql, instanceId: string, tokenAddress: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update token_imports set status = 'REVOKED', revoked_at = ${now}, updated_at = ${now}
    where instance_id = ${instanceId} and token_address = ${tokenAddress} and status = 'ACTIVE' returning 1`
  return rows.length === 1
}
