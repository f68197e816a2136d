import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** The registers that the market named last, as far as its events were taken down. */
export const findRegisters = (sql: Sql, chainId: number, market: string) => sql<
  { borrower: Address; provider: Address }[]
>`
  select effect ->> 'borrowerRegistry' as borrower, effect ->> 'providerRegistry' as provider from chain_live_facts
  where chain_id = ${chainId} and subject = ${market} and operation = 'market.IdentityGatesUpdated'
  order by block_number desc, block_log_index desc limit 1`
