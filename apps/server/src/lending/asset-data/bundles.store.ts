import type { Hex } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

export interface StoredBundle {
  readonly contentHash: Hex
  readonly schemaVersion: string
  readonly canonicalJson: string
  readonly storedAt: Date
}

/** The bytes of a market that is not deployed yet, kept for the instance that built it. */
export async function storeDraft(sql: Sql, instanceId: string, row: StoredBundle): Promise<void> {
  await sql`
    insert into draft_bundles (instance_id, content_hash, schema_version, canonical_json, stored_at)
    values (${instanceId}, ${row.contentHash}, ${row.schemaVersion}, ${row.canonicalJson}, ${row.storedAt})
    on conflict do nothing`
}

export const findDraft = (sql: Sql, instanceId: string, contentHash: string) => sql<StoredBundle[]>`
  select content_hash as "contentHash", schema_version as "schemaVersion", canonical_json as "canonicalJson", stored_at as "storedAt"
  from draft_bundles where instance_id = ${instanceId} and content_hash = ${contentHash}`

/** Needs the role tally_chain: the bytes of a market are shared by everybody who may see it. */
export async function storeBundle(sql: Sql, chainId: number, market: string, row: StoredBundle): Promise<void> {
  await sql`
    insert into asset_bundles (chain_id, market_address, content_hash, schema_version, canonical_json, stored_at)
    values (${chainId}, ${market}, ${row.contentHash}, ${row.schemaVersion}, ${row.canonicalJson}, ${row.storedAt})
    on conflict do nothing`
}

export const findBundle = (sql: Sql, chainId: number, market: string, contentHash: string) => sql<StoredBundle[]>`
  select content_hash as "contentHash", schema_version as "schemaVersion", canonical_json as "canonicalJson", stored_at as "storedAt"
  from asset_bundles where chain_id = ${chainId} and market_address = ${market} and content_hash = ${contentHash}`
