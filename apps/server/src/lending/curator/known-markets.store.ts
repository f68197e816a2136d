import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** What is on record of a market that the asking instance may have no access to: nothing of it is a secret. */
export interface KnownMarket {
  readonly address: Address
  readonly collateralName: string
  readonly collateralSymbol: string
  readonly collateralDecimals: number
  readonly collateralIsin: string | null
  readonly borrowSymbol: string
  readonly borrowDecimals: number
  readonly mode: 'FREEZE' | 'CUSTODY'
  readonly oracle: Address
  readonly rateModel: Address
  readonly insuranceFund: Address
  readonly adapter: Address
  readonly router: Address
  readonly isOwnStock: boolean
  readonly deployedBlock: bigint
}

/** Needs the role tally_chain. */
export async function findKnownMarkets(
  sql: Sql,
  chainId: number,
  addresses: readonly string[],
): Promise<Map<string, KnownMarket>> {
  const rows = await sql<(Omit<KnownMarket, 'deployedBlock'> & { deployedBlock: string })[]>`
    select market_address as address, collateral_name as "collateralName", collateral_symbol as "collateralSymbol",
      collateral_decimals as "collateralDecimals", collateral_isin as "collateralIsin", borrow_symbol as "borrowSymbol",
      borrow_decimals as "borrowDecimals", mode, oracle, rate_model as "rateModel", insurance_fund as "insuranceFund", adapter, router,
      is_own_stock as "isOwnStock", deployed_block::text as "deployedBlock"
    from lending_markets where chain_id = ${chainId} and market_address = any(${[...addresses]}::text[]) and is_live`
  return new Map(rows.map((row) => [row.address, { ...row, deployedBlock: BigInt(row.deployedBlock) }]))
}

export interface ReviewedRecord {
  readonly schemaVersion: string | null
  readonly canonicalJson: string | null
  readonly termsVersion: number | null
  readonly termsHash: string | null
  readonly termsAuthor: Address | null
}

/** The bytes that were attested, and the terms of use in force. Needs the role tally_chain. */
export async function findReviewedRecord(
  sql: Sql,
  chainId: number,
  market: string,
  contentHash: string,
): Promise<ReviewedRecord> {
  const [row] = await sql<ReviewedRecord[]>`
    select b.schema_version as "schemaVersion", b.canonical_json as "canonicalJson", t.version as "termsVersion",
      t.content_hash as "termsHash", t.author as "termsAuthor"
    from (select) as nothing
    left join asset_bundles b on b.chain_id = ${chainId} and b.market_address = ${market} and b.content_hash = ${contentHash}
    left join market_terms t on t.chain_id = ${chainId} and t.market_address = ${market} and t.is_current and t.published`
  if (!row) throw new Error('a join with nothing gave no row')
  return row
}

/** The caller's own records of markets, by address. */
export const listRecordedIds = (sql: Sql, instanceId: string, chainId: number) => sql<
  { address: Address; marketId: string }[]
>`
  select market_address as address, market_id as "marketId" from market_records
  where instance_id = ${instanceId} and chain_id = ${chainId} and market_address is not null and archived_at is null`
