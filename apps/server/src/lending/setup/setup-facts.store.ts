import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** What the record knows before the chain is asked, so that everything fits into one question. The chain has the last word. */
export interface SetupFacts {
  /** Whoever was ever given the liquidator role, the latest first. */
  readonly liquidators: readonly Address[]
}

const MOST_LIQUIDATORS = 20

/** A column of the look-up of a market. */
export const setupFacts = (liquidatorRole: string) => (sql: Sql) =>
  sql`,
  array(select f.effect ->> 'account' from chain_live_facts f
    where f.chain_id = m.chain_id and f.subject = m.market_address and f.operation = 'market.RoleGranted'
      and f.effect ->> 'role' = ${liquidatorRole}
    group by 1 order by max(f.block_number) desc limit ${MOST_LIQUIDATORS}) as liquidators`
