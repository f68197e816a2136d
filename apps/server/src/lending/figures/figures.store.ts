import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** The venue that the market named last, as far as our record has come. */
export const findVenue = (sql: Sql, chainId: number, market: Address) => sql<{ venue: Address }[]>`
  select effect ->> 'newModule' as venue from chain_live_facts
  where chain_id = ${chainId} and subject = ${market} and operation = 'market.AuctionModuleUpdated'
  order by block_number desc, block_log_index desc limit 1`
