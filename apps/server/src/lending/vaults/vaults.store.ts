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
const standing = (sql: Sql) => sql`
  select vault_id as "vaultId", chain_id as "chainId", vault_address as address, name, symbol, asset, asset_symbol as "assetSymbol",
    asset_decimals as "assetDecimals", created_at as "createdAt", deploy_tx as "deployTx"
  from vault_records r
  where exists (select from chain_live_facts f where f.chain_id = r.chain_id and f.subject = r.vault_address
    and f.operation = 'vault.OwnershipTransferred' and f.tx_hash = r.deploy_tx)`

export const listVaults = (sql: Sql, instanceId: string) => sql<VaultRow[]>`
  ${standing(sql)} and r.instance_id = ${instanceId} order by r.created_at desc, r.vault_id desc`

export const findVault = (sql: Sql, instanceId: string, chainId: number, address: string) => sql<VaultRow[]>`
  ${standing(sql)} and r.instance_id = ${instanceId} and r.chain_id = ${chainId} and r.vault_address = ${address}`

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
