import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** A price that reached the oracle. */
export interface PushRow {
  readonly id: string
  readonly price: string
  readonly previousPrice: string
  readonly updater: Address
  readonly txHash: string
  readonly blockNumber: bigint
  readonly logIndex: number
  readonly blockTime: bigint
}

export interface PushPlace {
  readonly limit: number
  readonly offset: number
  /** The last row that was shown: goes on behind it. */
  readonly after: { readonly blockNumber: string; readonly logIndex: string }
}

/** The signer whom the owner authorized last and still does; if none is left, the last there was. */
export const findPriceSigner = (sql: Sql, chainId: number, oracle: Address) => sql<{ signer: Address }[]>`
  select signer from (
    select distinct on (effect ->> 'signer') effect ->> 'signer' as signer, (effect ->> 'isAuthorized')::boolean as authorized,
      block_number, block_log_index
    from chain_live_facts where chain_id = ${chainId} and subject = ${oracle} and operation = 'oracle.SignerSet'
    order by effect ->> 'signer', block_number desc, block_log_index desc) latest
  order by authorized desc, block_number desc, block_log_index desc limit 1`

export const listPushes = (sql: Sql, chainId: number, oracle: Address, { limit, offset, after }: PushPlace) => sql<
  PushRow[]
>`
  select fact_id as id, effect ->> 'newPrice' as price, effect ->> 'previousPrice' as "previousPrice", effect ->> 'updater' as updater,
         tx_hash as "txHash", block_number as "blockNumber", block_log_index as "logIndex", block_time as "blockTime"
  from chain_live_facts where chain_id = ${chainId} and subject = ${oracle} and operation = 'oracle.PriceUpdated'
    and (block_number, block_log_index) < (${after.blockNumber}::numeric, ${after.logIndex}::integer)
  order by block_number desc, block_log_index desc limit ${limit} offset ${offset}`

/** How many there are of both, and up to which block the follower has read the oracle. */
export const countHistory = (sql: Sql, chainId: number, oracle: Address) => sql<
  { signed: number; pushed: number; syncedBlock: bigint | null }[]
>`
  select (select count(*)::integer from price_attestations where chain_id = ${chainId} and oracle = ${oracle}) as signed,
    (select count(*)::integer from chain_live_facts
     where chain_id = ${chainId} and subject = ${oracle} and operation = 'oracle.PriceUpdated') as pushed,
    (select scanned_to from watched_contracts where chain_id = ${chainId} and address = ${oracle}) as "syncedBlock"`

/** The second for which each price was given, oldest first; only the newest `limit`. */
export const listPrices = (sql: Sql, chainId: number, oracle: Address, limit: number) => sql<
  { price: string; second: string }[]
>`
  select price, second from (
    select effect ->> 'newPrice' as price, effect ->> 'timestamp' as second, block_number, block_log_index
    from chain_live_facts where chain_id = ${chainId} and subject = ${oracle} and operation = 'oracle.PriceUpdated'
    order by block_number desc, block_log_index desc limit ${limit}) newest
  order by block_number, block_log_index`
