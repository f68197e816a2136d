import type { Address } from 'viem'
import type { Sql } from '../../platform/db/database.ts'

/** How far the follower has come: with the chain, and with the contracts of one market. */
export interface FollowedTo {
  readonly cursorBlock: bigint | null
  readonly cursorHash: string | null
  /** The least of the contracts; null: none is followed. */
  readonly scannedTo: bigint | null
}

export const readFollowedTo = (sql: Sql, chainId: number, contracts: readonly Address[]) => sql<FollowedTo[]>`
  select c.block_number as "cursorBlock", c.block_hash as "cursorHash",
    (select min(scanned_to) from watched_contracts w where w.chain_id = ${chainId} and w.address = any(${[...contracts]}::text[])) as "scannedTo"
  from (select) one left join chain_cursors c on c.chain_id = ${chainId}`
