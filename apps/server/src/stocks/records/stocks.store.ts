import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** What an instance has on record of a stock token. */
export interface StockRecord {
  readonly chainId: number
  readonly tokenAddress: Address
  readonly name: string
  readonly symbol: string
  readonly isin: string
  readonly decimals: number
  readonly metadataURI: string | null
  readonly issuerAddress: Address
  readonly complianceModule: Address
  readonly recordedAt: Date
}

/** The record, and everybody who may be able to sign for the token. */
export interface Stock extends StockRecord {
  /** Verified wallets of the instance, the primary one first. */
  readonly wallets: readonly Address[]
  /** By the events of the token; the chain may know better. */
  readonly controllers: readonly Address[]
}

const columns = (sql: Sql) => sql`
  s.chain_id::int as "chainId", s.token_address as "tokenAddress", s.name, s.symbol, s.isin, s.decimals, s.metadata_uri as "metadataURI",
  s.issuer_address as "issuerAddress", s.compliance_module as "complianceModule", s.recorded_at as "recordedAt"`

/** A reorg can take a deployment away: then there is no token. */
const isThere = (sql: Sql) => sql`
  exists (select from chain_live_facts f where f.chain_id = s.chain_id and f.tx_hash = s.deploy_tx
    and f.operation = 'stockFactory.StockDeployed' and f.effect ->> 'token' = s.token_address)`

export const findStock = (sql: Sql, instanceId: string, tokenAddress: string) => sql<Stock[]>`
  select ${columns(sql)},
    (select coalesce(array_agg(w.address order by w.is_primary desc, w.verified_at, w.address), '{}') from wallets w
     where w.instance_id = s.instance_id) as wallets,
    (select coalesce(array_agg(account), '{}') from (
       select account from (
         select distinct on (f.effect ->> 'account') f.effect ->> 'account' as account, (f.effect ->> 'authorized')::boolean as authorized
         from chain_live_facts f
         where f.chain_id = s.chain_id and f.subject = s.token_address and f.operation = 'stock.ControllerUpdated'
         order by f.effect ->> 'account', f.block_number desc, f.block_log_index desc) told
       where authorized order by account limit 10) standing) as controllers
  from stock_tokens s where s.instance_id = ${instanceId} and s.token_address = ${tokenAddress} and ${isThere(sql)}`

export const listStocks = (sql: Sql, instanceId: string) => sql<StockRecord[]>`
  select ${columns(sql)} from stock_tokens s where s.instance_id = ${instanceId} and ${isThere(sql)}
  order by s.recorded_at desc, s.token_address`

export interface NewStock extends Omit<StockRecord, 'recordedAt'> {
  readonly factory: string
  readonly legalOperatorAddress: string | null
  readonly deployTx: string
}

/** What the instance wrote into its record stays; deployed again after a reorg, the token is there again. True: it is new. */
export async function insertStock(sql: Sql, instanceId: string, stock: NewStock, now: Date): Promise<boolean> {
  const [row] = await sql<{ isNew: boolean }[]>`
    insert into stock_tokens (instance_id, chain_id, token_address, factory, name, symbol, isin, decimals, metadata_uri, issuer_address,
      legal_operator_address, compliance_module, deploy_tx, recorded_at, updated_at)
    values (${instanceId}, ${stock.chainId}, ${stock.tokenAddress}, ${stock.factory}, ${stock.name}, ${stock.symbol}, ${stock.isin},
      ${stock.decimals}, ${stock.metadataURI}, ${stock.issuerAddress}, ${stock.legalOperatorAddress}, ${stock.complianceModule},
      ${stock.deployTx}, ${now}, ${now})
    on conflict (instance_id, token_address) do update set deploy_tx = excluded.deploy_tx
    returning xmax = 0 as "isNew"`
  return row?.isNew ?? false
}

export interface RecordChange {
  readonly name?: string | undefined
  readonly metadataURI?: string | null | undefined
}

export const updateStock = (sql: Sql, instanceId: string, tokenAddress: string, change: RecordChange, now: Date) => sql<
  StockRecord[]
>`
  update stock_tokens s set name = coalesce(${change.name ?? null}, s.name),
    metadata_uri = case when ${change.metadataURI === undefined} then s.metadata_uri else ${change.metadataURI ?? null} end, updated_at = ${now}
  where s.instance_id = ${instanceId} and s.token_address = ${tokenAddress} and ${isThere(sql)} returning ${columns(sql)}`

export async function keepReason(sql: Sql, instanceId: string, hash: string, words: string, now: Date): Promise<void> {
  await sql`
    insert into stock_reasons (instance_id, reason_hash, words, given_at) values (${instanceId}, ${hash}, ${words}, ${now})
    on conflict do nothing`
}
