import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

export interface ImportedRegistry {
  readonly tokenAddress: Address
  readonly registry: Address
}

/** What an instance has to do with registries. */
export interface RegisterRow {
  readonly own: Address | null
  /** Verified wallets of the instance, the primary one first. */
  readonly wallets: readonly Address[]
  /** Imported tokens that ask a registry, newest first. */
  readonly imports: readonly ImportedRegistry[]
}

export const readRegisters = (sql: Sql, instanceId: string, chainId: number) => sql<RegisterRow[]>`
  select (select address from deployed_contracts where chain_id = ${chainId} and name = 'IdentityRegistry') as own,
    coalesce((select json_agg(address order by is_primary desc, verified_at, address) from wallets
      where instance_id = ${instanceId}), '[]') as wallets,
    coalesce((select json_agg(json_build_object('tokenAddress', token_address, 'registry', lower(facts ->> 'identityRegistry'))
      order by imported_at desc, import_id desc) from token_imports
      where instance_id = ${instanceId} and chain_id = ${chainId} and status = 'ACTIVE' and facts ->> 'identityRegistry' is not null), '[]')
      as imports`
