import type { Address } from 'viem'
import type { Sql } from '../platform/db/database.ts'

export interface DeployedContract {
  readonly name: string
  readonly address: Address
}

export const listContracts = (sql: Sql, chainId: number) =>
  sql<DeployedContract[]>`select name, address from deployed_contracts where chain_id = ${chainId} order by name`

export async function recordContracts(
  sql: Sql,
  chainId: number,
  contracts: readonly DeployedContract[],
  now: Date,
): Promise<void> {
  for (const { name, address } of contracts)
    await sql`
      insert into deployed_contracts (chain_id, name, address, recorded_at) values (${chainId}, ${name}, ${address}, ${now})
      on conflict (chain_id, name) do update set address = excluded.address, recorded_at = excluded.recorded_at
        where deployed_contracts.address <> excluded.address`
}
