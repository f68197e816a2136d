import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** Every implementation that a factory ever served for one kind of proxy. */
export const listServed = (sql: Sql, chainId: number, factory: string, kind: string) => sql<
  { implementation: Address }[]
>`
  select distinct effect ->> 'implementation' as implementation from chain_live_facts
  where chain_id = ${chainId} and subject = ${factory} and operation = 'factory.ImplementationServed' and effect ->> 'kind' = ${kind}`
