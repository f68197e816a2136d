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

/** The tokens of every market, by the event with which the factory on record made it. */
export const listMarketTokens = (sql: Sql) =>
  sql<(MarketTokens & { readonly chainId: number; readonly market: string })[]>`
    select f.chain_id::int as "chainId", f.effect->>'market' as market,
           f.effect->>'borrowAsset' as "borrowAsset", f.effect->>'collateralToken' as "collateralToken"
    from deployed_contracts c
    join chain_live_facts f on f.chain_id = c.chain_id and f.subject = c.address and f.operation = 'factory.MarketDeployed'
    where c.name = 'LendingFactory'`
