import type { Address, Hex } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** What an instance has to do with a market, as far as the record knows. */
export interface Standing {
  readonly configuredFactory: Address | null
  /** Null: no record of the instance, or its deployment does not stand on chain. */
  readonly recordedFactory: Address | null
  readonly hasRecord: boolean
  /** Verified wallets, the primary one first. */
  readonly wallets: readonly Address[]
  /** Of the market and its factory: those of which the instance may read what is shared. */
  readonly readable: readonly string[]
  readonly isOwnStock: boolean
}

/** One look-up for everything that is known before the chain is asked. */
export const findStanding = (sql: Sql, instanceId: string, chainId: number, market: string) => sql<Standing[]>`
  select
    (select address from deployed_contracts where chain_id = ${chainId} and name = 'LendingFactory') as "configuredFactory",
    (select m.factory from market_records r join lending_markets m using (chain_id, market_address)
     where r.instance_id = ${instanceId} and r.chain_id = ${chainId} and r.market_address = ${market} and m.is_live) as "recordedFactory",
    exists (select from market_records where instance_id = ${instanceId} and chain_id = ${chainId} and market_address = ${market})
      as "hasRecord",
    (select coalesce(array_agg(address order by is_primary desc, verified_at, address), '{}') from wallets
     where instance_id = ${instanceId}) as wallets,
    (select coalesce(array_agg(address), '{}') from contract_access
     where instance_id = ${instanceId} and chain_id = ${chainId} and address in (
       select ${market} union all select address from deployed_contracts where chain_id = ${chainId} and name = 'LendingFactory'
       union all select factory from lending_markets where chain_id = ${chainId} and market_address = ${market})) as readable,
    exists (select from lending_markets where chain_id = ${chainId} and market_address = ${market} and is_own_stock) as "isOwnStock"`

/** One attestation or acknowledgement of a market that stands on chain. */
export interface AssetDataFact {
  readonly operation: 'factory.AssetDataAttested' | 'factory.AssetDataAcknowledged'
  readonly contentHash: Hex
  readonly version: string
  readonly attestor: Address | null
  readonly txHash: string
}

/** Newest first. */
export const listAssetDataFacts = (sql: Sql, chainId: number, factory: string, market: string) => sql<AssetDataFact[]>`
  select operation, effect ->> 'contentHash' as "contentHash", effect ->> 'version' as version, effect ->> 'attestor' as attestor,
         tx_hash as "txHash"
  from chain_live_facts
  where chain_id = ${chainId} and subject = ${factory} and effect ->> 'market' = ${market}
    and operation in ('factory.AssetDataAttested', 'factory.AssetDataAcknowledged')
  order by block_number desc, block_log_index desc`
