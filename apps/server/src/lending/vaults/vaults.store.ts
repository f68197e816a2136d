import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** An instance's own record of a vault. */
export interface VaultRow {
  readonly vaultId: string
  readonly chainId: bigint
  readonly address: Address
  readonly name: string
  readonly symbol: string
  readonly asset: Address
  readonly assetSymbol: string
  readonly assetDecimals: number
  readonly createdAt: Date
  readonly deployTx: string
}

/** A record counts as long as the event of the vault's creation stands. */
const standing = (sql: Sql, more = sql``) => sql`
  select vault_id as "vaultId", chain_id as "chainId", vault_address as address, name, symbol, asset, asset_symbol as "assetSymbol",
    asset_decimals as "assetDecimals", created_at as "createdAt", deploy_tx as "deployTx" ${more}
  from vault_records r
  where exists (select from chain_live_facts f where f.chain_id = r.chain_id and f.subject = r.vault_address
    and f.operation = 'vault.OwnershipTransferred' and f.tx_hash = r.deploy_tx)`

export const listVaults = (sql: Sql, instanceId: string) => sql<VaultRow[]>`
  ${standing(sql)} and r.instance_id = ${instanceId} order by r.created_at desc, r.vault_id desc`

export const findVault = (sql: Sql, instanceId: string, chainId: number, address: string) => sql<VaultRow[]>`
  ${standing(sql)} and r.instance_id = ${instanceId} and r.chain_id = ${chainId} and r.vault_address = ${address}`

/** A vault, and what its events tell before the chain is asked. */
export interface OwnVault extends VaultRow {
  /** Verified wallets of the instance, the primary one first. */
  readonly wallets: readonly Address[]
  /** Markets that the vault serves or announced, as far as its events are known; the vault may know more. */
  readonly markets: readonly { readonly address: Address; readonly marketId: string | null }[]
  /** The register that it named last, as far as that is known. */
  readonly registry: Address | null
  readonly syncedBlock: string | null
}

/** In one look-up: the record, the wallets that could be meant, and what to ask the chain about. */
export const findOwnVault = (sql: Sql, instanceId: string, chainId: number, address: string) => sql<OwnVault[]>`
  ${standing(
    sql,
    sql`,
    (select coalesce(array_agg(w.address order by w.is_primary desc, w.verified_at, w.address), '{}') from wallets w
     where w.instance_id = r.instance_id) as wallets,
    (select coalesce(json_agg(json_build_object('address', k.market, 'marketId', (select m.market_id from market_records m
        where m.instance_id = r.instance_id and m.chain_id = r.chain_id and m.market_address = k.market order by m.created_at limit 1))
      order by k.market), '[]')
     from (select distinct f.effect ->> 'market' as market from chain_live_facts f where f.chain_id = r.chain_id
       and f.subject = r.vault_address and f.operation in ('vault.DrawCapSet', 'vault.DrawCapAnnounced', 'vault.Supplied')) k) as markets,
    (select nullif(f.effect ->> 'registry', '0x0000000000000000000000000000000000000000') from chain_live_facts f
     where f.chain_id = r.chain_id and f.subject = r.vault_address and f.operation = 'vault.DepositorRegistrySet'
     order by f.block_number desc, f.block_log_index desc limit 1) as registry,
    (select w.scanned_to::text from watched_contracts w where w.chain_id = r.chain_id and w.address = r.vault_address) as "syncedBlock"`,
  )}
    and r.instance_id = ${instanceId} and r.chain_id = ${chainId} and r.vault_address = ${address}`

/** Deployed again after a reorganization, it stands by another transaction. */
export async function insertVault(sql: Sql, instanceId: string, row: Omit<VaultRow, 'chainId'> & { chainId: number }) {
  await sql`
    insert into vault_records (instance_id, vault_id, chain_id, vault_address, name, symbol, asset, asset_symbol, asset_decimals, created_at,
      deploy_tx)
    values (${instanceId}, ${row.vaultId}, ${row.chainId}, ${row.address}, ${row.name}, ${row.symbol}, ${row.asset}, ${row.assetSymbol},
      ${row.assetDecimals}, ${row.createdAt}, ${row.deployTx})
    on conflict (instance_id, chain_id, vault_address) do update set deploy_tx = excluded.deploy_tx`
}

/** Every vault that was ever registered with a market, as far as its events are known: the market says which still are. */
export const listEverRegistered = (sql: Sql, chainId: number, market: string) => sql<{ address: Address }[]>`
  select distinct effect ->> 'vault' as address from chain_live_facts
  where chain_id = ${chainId} and subject = ${market} and operation = 'market.VaultRegistered'`
