import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** Where the operator of this deployment recorded the contracts that a stock token needs. */
export const findContracts = (sql: Sql, chainId: number) => sql<{ name: string; address: Address }[]>`
  select name, address from deployed_contracts
  where chain_id = ${chainId} and name = any(${['StockFactory', 'IdentityRegistry']})`
