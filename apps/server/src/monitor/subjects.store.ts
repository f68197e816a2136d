import type { Address } from 'viem'
import type { Sql } from '../platform/db/database.ts'

export interface WatchedMarket {
  readonly market: Address
  readonly asset: Address
  readonly collateralToken: Address
  readonly adapter: Address
  readonly router: Address
  readonly venue: Address | null
  readonly mode: 'FREEZE' | 'CUSTODY'
}

export interface WatchedBalance {
  readonly vault: Address
  readonly token: Address
}

export const listMarkets = (sql: Sql, chainId: number) => sql<WatchedMarket[]>`
  select market_address as market, borrow_asset as asset, collateral_token as "collateralToken", adapter, router, venue, mode
  from lending_markets where chain_id = ${chainId} and is_live order by deployed_block, market_address`

/** Tokens that a vault ever took in: one that it takes no more is still owed. */
export const listVaultTokens = (sql: Sql, chainId: number) => sql<WatchedBalance[]>`
  select distinct f.subject as vault, f.effect->>'token' as token from chain_live_facts f
  where f.chain_id = ${chainId} and f.operation = 'tradingVault.TokenAdded' order by 1, 2`
