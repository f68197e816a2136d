import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** What the record knows before the chain is asked, so that everything fits into one question. The chain has the last word. */
export interface SetupFacts {
  readonly venue: Address | null
  /** Whoever was ever given the liquidator role, the latest first. */
  readonly liquidators: readonly Address[]
}

const MOST_LIQUIDATORS = 20

export const findSetupFacts = (sql: Sql, chainId: number, market: string, liquidatorRole: string) => sql<SetupFacts[]>`
  select
    (select effect ->> 'newModule' from chain_live_facts
     where chain_id = ${chainId} and subject = ${market} and operation = 'market.AuctionModuleUpdated'
     order by block_number desc, block_log_index desc limit 1) as venue,
    array(select effect ->> 'account' from chain_live_facts
     where chain_id = ${chainId} and subject = ${market} and operation = 'market.RoleGranted' and effect ->> 'role' = ${liquidatorRole}
     group by 1 order by max(block_number) desc limit ${MOST_LIQUIDATORS}) as liquidators`
