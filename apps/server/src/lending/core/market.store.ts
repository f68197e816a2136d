import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

export type CollateralMode = 'FREEZE' | 'CUSTODY'
export type PriceSource = 'NAV' | 'MARKET'

/** What never changes after the deployment. */
export interface Market {
  readonly chainId: number
  readonly address: Address
  readonly factory: Address
  readonly deployer: Address
  readonly collateralToken: Address
  readonly collateralName: string
  readonly collateralSymbol: string
  readonly collateralDecimals: number
  readonly collateralFramework: string | null
  readonly collateralIsin: string | null
  /** The register that the collateral token itself asks, when it has one. */
  readonly tokenRegistry: Address | null
  readonly borrowAsset: Address
  readonly borrowSymbol: string
  readonly borrowDecimals: number
  readonly mode: CollateralMode
  readonly priceSource: PriceSource
  readonly oracle: Address
  readonly rateModel: Address
  readonly insuranceFund: Address
  readonly adapter: Address
  readonly router: Address
  readonly isOwnStock: boolean
  readonly deployedBlock: bigint
  readonly deployedAt: Date
  readonly deployTx: string
}

/** An instance's record of a market; `market` is null until its deployment is confirmed, and after a reorg took it away. */
export interface MarketRecord {
  readonly marketId: string
  readonly origin: 'DEPLOYED' | 'ADOPTED'
  readonly collateralToken: Address
  readonly borrowAsset: Address
  readonly mode: CollateralMode
  readonly createdAt: Date
  readonly archivedAt: Date | null
  readonly market: Market | null
  /** The auction venue that the market named last, as far as our record has come; the chain may know better. */
  readonly venue: Address | null
  /** Verified wallets of the instance, the primary one first. */
  readonly wallets: readonly Address[]
}

interface RecordRow extends Omit<MarketRecord, 'market'> {
  readonly market: (Omit<Market, 'deployedBlock' | 'deployedAt'> & { deployedBlock: string; deployedAt: string }) | null
}

/** One look-up for everything a route needs before it asks the chain: record, market, and the wallets that could sign. */
const recordColumns = (sql: Sql) => sql`
  r.market_id as "marketId", r.origin, r.collateral_token as "collateralToken", r.borrow_asset as "borrowAsset", r.mode,
  r.created_at as "createdAt", r.archived_at as "archivedAt",
  case when m.market_address is not null then json_build_object(
    'chainId', m.chain_id, 'address', m.market_address, 'factory', m.factory, 'deployer', m.deployer,
    'collateralToken', m.collateral_token, 'collateralName', m.collateral_name, 'collateralSymbol', m.collateral_symbol,
    'collateralDecimals', m.collateral_decimals, 'collateralFramework', m.collateral_framework, 'collateralIsin', m.collateral_isin,
    'tokenRegistry', m.token_registry, 'borrowAsset', m.borrow_asset, 'borrowSymbol', m.borrow_symbol, 'borrowDecimals', m.borrow_decimals,
    'mode', m.mode, 'priceSource', m.price_source, 'oracle', m.oracle, 'rateModel', m.rate_model, 'insuranceFund', m.insurance_fund,
    'adapter', m.adapter, 'router', m.router, 'isOwnStock', m.is_own_stock, 'deployedBlock', m.deployed_block::text,
    'deployedAt', m.deployed_at, 'deployTx', m.deploy_tx) end as market,
  m.venue,
  (select coalesce(array_agg(w.address order by w.is_primary desc, w.verified_at, w.address), '{}') from wallets w
   where w.instance_id = r.instance_id) as wallets`

const joined = (sql: Sql) => sql`
  market_records r left join lending_markets m
    on m.chain_id = r.chain_id and m.market_address = r.market_address and m.is_live`

const asMarket = (market: NonNullable<RecordRow['market']>): Market => ({
  ...market,
  deployedBlock: BigInt(market.deployedBlock),
  deployedAt: new Date(market.deployedAt),
})

export const asRecords = <R extends RecordRow>(rows: readonly R[]) =>
  rows.map((row) => ({ ...row, market: row.market && asMarket(row.market) }))

/** `more`: further columns over the market `m` and its record `r`, so that whatever a route needs is one look-up. */
export const findRecord = <F = unknown>(sql: Sql, instanceId: string, marketId: string, more = sql``) => sql<
  (RecordRow & F)[]
>`
  select ${recordColumns(sql)} ${more} from ${joined(sql)} where r.instance_id = ${instanceId} and r.market_id = ${marketId}`

export const findRecordByAddress = (sql: Sql, instanceId: string, chainId: number, address: string) => sql<RecordRow[]>`
  select ${recordColumns(sql)} from ${joined(sql)}
  where r.instance_id = ${instanceId} and r.chain_id = ${chainId} and r.market_address = ${address}`

/** The record that occupies a place of which an instance may fill only one: token, mode and borrow asset. */
export const findRecordFor = (
  sql: Sql,
  instanceId: string,
  chainId: number,
  request: { collateralToken: string; mode: CollateralMode; borrowAsset: string },
) => sql<RecordRow[]>`
  select ${recordColumns(sql)} from ${joined(sql)}
  where r.instance_id = ${instanceId} and r.chain_id = ${chainId} and r.collateral_token = ${request.collateralToken}
    and r.mode = ${request.mode} and r.borrow_asset = ${request.borrowAsset} and r.archived_at is null and r.origin = 'DEPLOYED'`

export const listActive = (sql: Sql, instanceId: string) => sql<RecordRow[]>`
  select ${recordColumns(sql)} from ${joined(sql)}
  where r.instance_id = ${instanceId} and r.archived_at is null and r.market_address is not null
  order by r.created_at desc, r.market_id desc`

/** Every record whose market stands on chain, archived or not: what was seized there still has to be sold. */
export const listDeployed = (sql: Sql, instanceId: string) => sql<RecordRow[]>`
  select ${recordColumns(sql)} from ${joined(sql)}
  where r.instance_id = ${instanceId} and m.market_address is not null order by r.created_at, r.market_id`

export interface NewRecord {
  readonly marketId: string
  readonly chainId: number
  readonly address: string | null
  readonly origin: 'DEPLOYED' | 'ADOPTED'
  readonly collateralToken: string
  readonly borrowAsset: string
  readonly mode: CollateralMode
  readonly createdAt: Date
}

export async function insertRecord(sql: Sql, instanceId: string, row: NewRecord): Promise<void> {
  await sql`
    insert into market_records (instance_id, market_id, chain_id, market_address, origin, collateral_token, borrow_asset, mode, created_at)
    values (${instanceId}, ${row.marketId}, ${row.chainId}, ${row.address}, ${row.origin}, ${row.collateralToken}, ${row.borrowAsset},
            ${row.mode}, ${row.createdAt})`
}

/** The record of a build becomes that of the market it deployed. */
export async function giveAddress(sql: Sql, instanceId: string, marketId: string, address: string): Promise<void> {
  await sql`
    update market_records set market_address = ${address} where instance_id = ${instanceId} and market_id = ${marketId}`
}

/** Serializes what decides whether an instance has a record for a market already. */
export async function lockRecords(sql: Sql, instanceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('market_records ' || ${instanceId}::text, 0))`
}

/**
 * Known to all instances once the first of them confirmed it. Deployed again after a reorg, it is live again. Confirmed again after
 * the operator recorded the stock factory, it is known as a market on an own stock.
 */
export async function insertMarket(sql: Sql, market: Market): Promise<void> {
  await sql`
    insert into lending_markets (chain_id, market_address, factory, deployer, collateral_token, collateral_name, collateral_symbol,
      collateral_decimals, collateral_framework, collateral_isin, token_registry, borrow_asset, borrow_symbol, borrow_decimals, mode,
      price_source, oracle, rate_model, insurance_fund, adapter, router, is_own_stock, deployed_block, deployed_at, deploy_tx)
    values (${market.chainId}, ${market.address}, ${market.factory}, ${market.deployer}, ${market.collateralToken}, ${market.collateralName},
      ${market.collateralSymbol}, ${market.collateralDecimals}, ${market.collateralFramework}, ${market.collateralIsin}, ${market.tokenRegistry},
      ${market.borrowAsset}, ${market.borrowSymbol}, ${market.borrowDecimals}, ${market.mode}, ${market.priceSource}, ${market.oracle},
      ${market.rateModel}, ${market.insuranceFund}, ${market.adapter}, ${market.router}, ${market.isOwnStock},
      ${market.deployedBlock.toString()}::numeric, ${market.deployedAt}, ${market.deployTx})
    on conflict (chain_id, market_address) do update set is_live = true, deployed_block = excluded.deployed_block,
      deployed_at = excluded.deployed_at, deploy_tx = excluded.deploy_tx, is_own_stock = excluded.is_own_stock
    where not lending_markets.is_live or (excluded.is_own_stock and not lending_markets.is_own_stock)`
}

/** A market lives as long as the event of its deployment stands. */
export async function projectMarkets(sql: Sql, chainId: number, factory: string): Promise<void> {
  await sql`
    with standing as (
      select m.market_address, exists (select from chain_live_facts f where f.chain_id = m.chain_id and f.subject = m.factory
        and f.operation = 'factory.MarketDeployed' and f.effect ->> 'market' = m.market_address) as is_live
      from lending_markets m where m.chain_id = ${chainId} and m.factory = ${factory})
    update lending_markets m set is_live = s.is_live from standing s
    where m.chain_id = ${chainId} and m.market_address = s.market_address and m.is_live <> s.is_live`
}

/** Where the operator of this deployment recorded a contract. */
export const findContract = (sql: Sql, chainId: number, name: string) => sql<{ address: Address }[]>`
  select address from deployed_contracts where chain_id = ${chainId} and name = ${name}`
