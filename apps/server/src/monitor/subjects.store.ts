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

/** What books were ever opened on in a vault: what is traded no more is still owed. Ask as the operator, who sees all books. */
export const listVaultTokens = (sql: Sql, chainId: number) => sql<WatchedBalance[]>`
  select distinct b.custody_contract as vault, t.token
  from order_books b cross join lateral (values (b.token_address), (b.quote_token_address)) t(token)
  where b.chain_id = ${chainId} and b.custody_contract is not null and b.class in ('stocks', 'commodities') order by 1, 2`
