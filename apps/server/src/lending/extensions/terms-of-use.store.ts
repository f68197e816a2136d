import type { Sql } from '../../platform/db/database.ts'

/** A row when the terms of use in force are published and say that loans may be extended. */
export const findProvision = (sql: Sql, chainId: number, market: string) => sql`
  select 1 from market_terms where chain_id = ${chainId} and market_address = ${market}
    and is_current and published and provides_for_extensions`
