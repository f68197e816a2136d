import type { Sql } from '../platform/db/database.ts'

export interface RecordedContract {
  readonly chainId: number
  readonly name: string
  readonly address: string
}

/** Every contract on record, on all chains. */
export const listRecorded = (sql: Sql) =>
  sql<
    RecordedContract[]
  >`select chain_id::int as "chainId", name, address from deployed_contracts order by chain_id, name`

export interface MarketTokens {
  readonly borrowAsset: string
  readonly collateralToken: string
}

/** The tokens of a market, by the event with which the factory on record made it. */
export async function findMarketTokens(sql: Sql, chainId: number, market: string): Promise<MarketTokens | undefined> {
  const [row] = await sql<MarketTokens[]>`
    select effect->>'borrowAsset' as "borrowAsset", effect->>'collateralToken' as "collateralToken" from chain_live_facts
    where chain_id = ${chainId} and operation = 'factory.MarketDeployed' and effect->>'market' = ${market}
      and subject = (select address from deployed_contracts where chain_id = ${chainId} and name = 'LendingFactory')
    limit 1`
  return row
}
